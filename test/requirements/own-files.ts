import { requirements } from './requirement.js';

/** Files of Chaperone's own. */
// prettier-ignore
export const OWN_FILES = requirements('Own files:', {
  'OF-1': ['dialogs', 'main-job', 'No act hands one of Chaperone’s own files to an application, under whatever path, link or address.'],
  'OF-3': ['file managers', 'main-job', 'Nothing is dragged out of a file manager’s window that shows a folder of Chaperone’s, or into it, and no file in it is pressed.'],
  'OF-4': ['file managers', 'main-job', 'Every act in a file manager’s window that may show Chaperone’s own files is asked about, with a note.'],
  'OF-2': ['dialogs', 'main-job', 'No grant for an application covers what is done in its file dialogs.'],
});
