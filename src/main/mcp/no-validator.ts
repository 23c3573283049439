/** What the bundle has instead of the SDK's `_shims`: that one loads Ajv at each start, to check answers to elicitation by their schema, which Chaperone reads by its own. */
export { default as process } from 'node:process';

export function DefaultJsonSchemaValidator(): { getValidator(): never } {
  return {
    getValidator: () => {
      throw new Error('nothing in this program is checked by a JSON schema, so it has no validator');
    },
  };
}
