/** Runs before anything is shown. Built by itself into the page, so it may import only little. */
import { applyTheme, storedTheme } from './app/theme.js';

applyTheme(storedTheme.read());
