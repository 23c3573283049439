import { requirements, type Rows } from './requirement.js';

const DESK: Rows = {
  'AP-L-1': ['live', 'app', 'The desktop is one bounded picture at a time; the next comes only where something changed and the last was taken.'],
  'AP-L-2': ['live', 'app', 'Nothing is captured while no page looks; a hidden tab does not look.'],
  'AP-L-3': ['live', 'app', 'A page that is not paired sees nothing live and has nothing checked.'],
  'AP-L-4': ['live', 'app', 'The window an agent acts on is ringed, and a line says in words what happens.'],
  'AP-L-5': ['live', 'app', 'Of the screen in front of the person there are single pictures only, on request.'],
  'AP-G-1': ['agents', 'app', 'The page shows who is connected, what each one does and may do; what was given is taken back, one or all are paused, the person takes over.'],
  'AP-G-2': ['agents', 'app', 'A pause of one agent holds its process however it describes itself, what it starts, and the same program started again in its place.'],
  'AP-G-3': ['agents', 'app', 'A paused agent that is not connected is shown, over a restart too, and let go on by a person.'],
  'AP-H-1': ['health', 'app', 'Health shows permissions, backend, findings with what mends them, the record and where files are; looking raises no prompt.'],
}; // prettier-ignore

/** What the issue of the app promises of the desktop live, of single agents and of health. */
export const APP_DESK = requirements('The page:', DESK);
