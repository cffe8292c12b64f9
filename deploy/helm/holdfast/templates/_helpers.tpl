{{- define "holdfast.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "holdfast.fullname" -}}
{{- $name := include "holdfast.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "holdfast.selector" -}}
app.kubernetes.io/name: {{ include "holdfast.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "holdfast.labels" -}}
{{ include "holdfast.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* The roles of the nodes, and the role whose nodes get requests. */ -}}
{{- define "holdfast.roles" -}}
{{ ternary "all" "api,worker" (eq .Values.roles "together") }}
{{- end -}}
{{- define "holdfast.servingRole" -}}
{{ ternary "all" "api" (eq .Values.roles "together") }}
{{- end -}}

{{- /* A Deployment of a single role has the name of the release alone. */ -}}
{{- define "holdfast.nodeName" -}}
{{- $name := include "holdfast.fullname" .root -}}
{{- if eq .role "all" }}{{ $name }}{{ else }}{{ printf "%s-%s" $name .role }}{{ end -}}
{{- end -}}

{{- define "holdfast.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end -}}
{{- end -}}
{{- end -}}

{{- define "holdfast.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "holdfast.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- /* The hosts that clients call, separated by commas. */ -}}
{{- define "holdfast.hosts" -}}
{{- $hosts := list -}}
{{- range $name := list "BASE_URL" "LEGACY_URL" "AUTH_URL" -}}
{{- with index $.Values.settings $name }}{{ $hosts = append $hosts (urlParse .).hostname }}{{ end -}}
{{- end -}}
{{- $hosts | uniq | join "," -}}
{{- end -}}

{{- /* Whole numbers beyond a million would be written with an exponent; `off` is `false` in YAML. */ -}}
{{- define "holdfast.setting" -}}
{{- if kindIs "bool" . }}{{ ternary "on" "off" . }}{{ else if kindIs "string" . }}{{ . }}{{ else }}{{ int64 . }}{{ end -}}
{{- end -}}

{{- /* What Node.js and the service read. `role` is that of the node. */ -}}
{{- define "holdfast.env" -}}
- { name: ROLE, value: {{ .role }} }
- { name: METRICS_HOST, value: 0.0.0.0 }
- { name: METRICS_PORT, value: '9464' }
{{- range $name, $value := .root.Values.settings }}
{{- if not (or (kindIs "invalid" $value) (eq (toString $value) "")) }}
- { name: {{ $name }}, value: {{ include "holdfast.setting" $value | quote }} }
{{- end }}
{{- end }}
{{- range $name, $key := .root.Values.secrets }}
{{- if $key }}
- { name: {{ $name }}_FILE, value: /run/secrets/holdfast/{{ lower $name }} }
{{- end }}
{{- end }}
{{- with .root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Files, so that no secret is in the environment. `databaseUrl` takes the place of the setting. */ -}}
{{- define "holdfast.volumes" -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $name, $usual := .root.Values.secrets }}
      {{- $key := $usual }}
      {{- if and (eq $name "DATABASE_URL") $.databaseUrl }}{{ $key = $.databaseUrl }}{{ end }}
      {{- if $key }}
      - secret:
          name: {{ $key.secret }}
          items: [{ key: {{ $key.key | quote }}, path: {{ lower $name }} }]
      {{- end }}
      {{- end }}
- name: data
  {{- with .root.Values.data }}
  {{- if .existingClaim }}
  persistentVolumeClaim: { claimName: {{ .existingClaim }} }
  {{- else }}
  emptyDir: { sizeLimit: {{ .sizeLimit }} }
  {{- end }}
  {{- end }}
- name: temporary
  emptyDir: { sizeLimit: {{ .root.Values.temporary.sizeLimit }} }
{{- with .root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "holdfast.volumeMounts" -}}
- { name: secrets, mountPath: /run/secrets/holdfast, readOnly: true }
- { name: data, mountPath: /data }
- { name: temporary, mountPath: /tmp }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* The restrictions that deploy/image/check-root.ts tries the image under. */ -}}
{{- define "holdfast.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}
{{- define "holdfast.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- /* What pods of nodes and of the migration have in common. */ -}}
{{- define "holdfast.pod" -}}
automountServiceAccountToken: false
# Services of the namespace would appear as settings: one called `metrics` sets METRICS_PORT.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext: {{ include "holdfast.podSecurity" . | nindent 2 }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
