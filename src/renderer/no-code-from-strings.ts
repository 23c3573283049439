/** The schemas must know before they are made that the page's CSP forbids code made from strings: imported before anything else. */
import { config } from 'zod';

config({ jitless: true });
