/** The text of /proc/<pid>/stat, see proc(5). */
export interface ProcessStat {
  name: string;
  /** One letter, such as `Z` for a zombie. */
  state: string;
  parentPid: number;
  /** It has begun to end, and runs no more of its code. */
  ending: boolean;
  /** Pid of the process group's leader. */
  group: number;
  /** Pid of the session's leader. */
  session: number;
  /** Device number of the controlling terminal; 0: none. */
  terminal: number;
  /** Clock ticks since boot. */
  startTicks: number;
  /** Where code, stack and data begin. The kernel chooses these addresses anew with each exec; the process itself cannot. */
  image: string;
  /** Faults and times of the children that it has waited for; another value after each of them. */
  reaped: string;
}

const FLAGS_FIELD = 6;
const PF_EXITING = 4;
/** startcode, startstack and start_data, counted from the state. */
const IMAGE_FIELDS = [23, 25, 42];
/** cminflt, cmajflt, cutime and cstime. */
const REAPED_FIELDS = [8, 10, 13, 14];

/** null where a field is missing. The name may itself contain spaces and parentheses: the fields begin after the last one. */
export function parseProcessStat(text: string): ProcessStat | null {
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ');
  const [state, parentPid, group, session, terminal] = fields;
  const startTicks = fields[19];
  if (state === undefined || parentPid === undefined || group === undefined) return null;
  if (session === undefined || terminal === undefined || startTicks === undefined) return null;
  return {
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    state,
    parentPid: Number(parentPid),
    ending: 'ZX'.includes(state) || (Number(fields[FLAGS_FIELD]) & PF_EXITING) !== 0,
    group: Number(group),
    session: Number(session),
    terminal: Number(terminal),
    startTicks: Number(startTicks),
    image: IMAGE_FIELDS.map((at) => fields[at] ?? '').join(':'),
    reaped: REAPED_FIELDS.map((at) => fields[at] ?? '').join(':'),
  };
}

/** The file descriptor of a `net.Socket`, for asking the kernel who is at its other end. Throws where there is none. */
export function socketFd(socket: object): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const fd: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  if (typeof fd !== 'number' || fd < 0) throw new Error('the socket has no file descriptor');
  return fd;
}
