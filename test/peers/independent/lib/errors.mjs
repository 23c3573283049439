/**
 * Error codes of GABP 1.0: gabp.md section 6 and registry.md section 2.
 */
export const CODES = Object.freeze({
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
  // "Server Error" range -32000 to -32099: free for an implementation.
  TOO_MANY_REQUESTS: -32000,
  RATE_LIMITED: -32001,
  AUTH_REQUIRED: -32100,
  AUTH_FAILED: -32101,
  VERSION_MISMATCH: -32200,
  INVALID_MESSAGE_TYPE: -32201,
  MISSING_FIELD: -32202,
  INVALID_FIELD: -32203,
  RESOURCE_NOT_FOUND: -32300,
  RESOURCE_ACCESS_DENIED: -32301,
  TOOL_NOT_FOUND: -32400,
  TOOL_FAILED: -32402,
  TOOL_TIMEOUT: -32403,
  CHANNEL_NOT_FOUND: -32500,
});

/** An error which is answered to the other side as a GABP error object. */
export class GabpError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   * @param {unknown} [data]
   */
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** @returns {{code: number, message: string, data?: unknown}} */
  toObject() {
    const object = { code: this.code, message: this.message };
    return this.data === undefined ? object : { ...object, data: this.data };
  }
}
