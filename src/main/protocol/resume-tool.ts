/** A tool of the shim itself, so no other may have its name. */
export const RESUME_TOOL = 'resume_call';

/** The tool that only waits for the person. */
export const QUESTION_TOOL = 'send_message';
