// The ways in which the owner of accounts can consent to a custodian's sending their data.

export const consentTypes = ['redirect', 'signed-document', 'operator'] as const;
export type ConsentType = (typeof consentTypes)[number];

/** Of custodians that state none: everything that needs no connection to the custodian. */
export const defaultConsentTypes = ['signed-document', 'operator'] as const satisfies readonly ConsentType[];

export const consentTypesText =
  "`redirect`: on the custodian's own pages. `signed-document`: signed papers are handed in as files. `operator`: an operator arranges it with the custodian.";
