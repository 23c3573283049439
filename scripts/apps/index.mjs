/**
 * The applications that `npm run apps` tries. Each has the `packages` that bring it, the `id` by which it is opened, and `tasks`: what lies
 * there before (`files`, null for a folder; `pages` by path), the calls (`steps`), and `judge`, which throws where the application has not
 * left what was wanted. `home`: files of its user's that are there when it starts. `discards`: the button that leaves unsaved changes
 * behind when it is quit.
 */
import { calc } from './calc.mjs';
import { evince } from './evince.mjs';
import { firefox } from './firefox.mjs';
import { gimp } from './gimp.mjs';
import { keepassxc } from './keepassxc.mjs';
import { impress } from './impress.mjs';
import { inkscape } from './inkscape.mjs';
import { terminal } from './terminal.mjs';
import { thunar } from './thunar.mjs';
import { thunderbird } from './thunderbird.mjs';
import { vlc } from './vlc.mjs';
import { writer } from './writer.mjs';

export const APPLICATIONS = {
  calc,
  writer,
  thunar,
  firefox,
  gimp,
  impress,
  inkscape,
  keepassxc,
  terminal,
  vlc,
  evince,
  thunderbird,
};
