// Mapping profiles on v1: those of the workspace, and the shipped ones, which are read-only.

import { importProfileActions } from '../../../actions/imports/profiles/import-profile.ts';
import { v1Paths } from '../resource-paths.ts';

export const importProfilePaths = v1Paths({ actions: importProfileActions });
