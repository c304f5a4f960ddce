/** A fault that the operator can repair. The message says how; no stack is printed. */
export class OperatorError extends Error {}
