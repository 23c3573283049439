/** Results of tools that the shim passes on as the host wrote them: in the answer to a call that says `relay`, as `{ relay: … }`. Pure. */
import { GABP_VERSION } from './gabp.js';
import { readJson } from './json.js';

const BEFORE_ID = `{"v":"${GABP_VERSION}","id":"`;
const AFTER_ID = '","type":"response","result":{"relay":{';
const END = '}}}';
/** Of a UUID. */
const ID_LENGTH = 36;
const ID_END = BEFORE_ID.length + ID_LENGTH;
const RESULT_START = ID_END + AFTER_ID.length - 1;

/** JSON without a line break. */
export class RelayedResult {
  constructor(readonly json: string) {}
}

/** A message of the host, read whole unless it has a result to relay. */
export function readHostMessage(text: string): unknown {
  const relays = text.startsWith(BEFORE_ID) && text.startsWith(AFTER_ID, ID_END) && text.endsWith(END);
  if (!relays || text.includes('\n')) return readJson(text);
  const id = text.slice(BEFORE_ID.length, ID_END);
  return { type: 'response', id, result: new RelayedResult(text.slice(RESULT_START, 1 - END.length)) };
}
