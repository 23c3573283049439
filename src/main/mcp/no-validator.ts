/** What the bundle has instead of the SDK's `_shims`: that one loads Ajv at each start, to check answers to elicitation, which Chaperone never asks for. */
export { default as process } from 'node:process';

export function DefaultJsonSchemaValidator(): { getValidator(): never } {
  return {
    getValidator: () => {
      throw new Error('elicitation is not part of this program, so it has no validator');
    },
  };
}
