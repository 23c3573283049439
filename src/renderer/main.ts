/** The page's entry. The schemas must know before they are made that its CSP forbids code made from strings. */
import { config } from 'zod';
import { applyTheme, storedTheme } from './app/theme.js';
import './styles/index.css';

applyTheme(storedTheme.read());
config({ jitless: true });
const root = document.getElementById('root');
if (root !== null) void import('./start.js').then(({ start }) => start(root));
