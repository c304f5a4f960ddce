/** What the operator can repair: the message says how, and stands for the whole error. */
export class OperatorError extends Error {}
