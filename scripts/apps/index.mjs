/**
 * The applications that `npm run apps` tries. Each has the `packages` that bring it, the `id` by which it is opened, and `tasks`: what lies
 * there before (`files`, null for a folder; `pages` by path), the calls (`steps`), and `judge`, which throws where the application has not
 * left what was wanted.
 */
import { calc } from './calc.mjs';
import { firefox } from './firefox.mjs';
import { thunar } from './thunar.mjs';
import { writer } from './writer.mjs';

export const APPLICATIONS = { calc, writer, thunar, firefox };
