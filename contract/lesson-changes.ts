export const changeKinds = ["new", "corrected", "replaced", "retired"] as const;
export type ChangeKind = (typeof changeKinds)[number];
