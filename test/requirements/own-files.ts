import { requirements } from './requirement.js';

/** Files of Chaperone's own. */
// prettier-ignore
export const OWN_FILES = requirements('Own files:', {
  'OF-1': ['dialogs', 'main-job', 'No act hands one of Chaperone’s own files to an application, under whatever path, link or address.'],
  'OF-2': ['dialogs', 'main-job', 'No grant for an application covers what is done in its file dialogs.'],
});
