import { type Faults, faultAt } from "#app/api/use-form.ts";
import { z } from "#app/api/zod.ts";

/** A value that is being edited, with its schema in the contract: a whole form, or a part or an entry of one. */
export interface Written<Value> {
  schema: z.ZodType;
  value: Value;
  change(changes: Partial<Value>): void;
  /** The value's dotted name in the form's body. Empty for the whole body. */
  path: string;
  faults: Faults;
}

/** The name by which the server refuses a part. */
export function pathOf({ path }: { path: string }, name: string | number): string {
  return path ? `${path}.${name}` : String(name);
}

export function faultOf(form: { path: string; faults: Faults }, name: string | number): string | undefined {
  return faultAt(form.faults, pathOf(form, name));
}

/** A part that has parts itself. */
export function within<Value, Name extends keyof Value & string>(
  form: Written<Value>,
  name: Name,
): Written<NonNullable<Value[Name]>> {
  const value = form.value[name] as NonNullable<Value[Name]>;
  return {
    schema: schemaOf(form, name),
    value,
    change: (changes) => form.change({ [name]: { ...value, ...changes } } as unknown as Partial<Value>),
    path: pathOf(form, name),
    faults: form.faults,
  };
}

/** The schema of a part. Of alternatives, the one that the value has chosen counts. */
export function schemaOf<Value>({ schema, value }: Written<Value>, name: keyof Value & string): z.ZodType {
  const whole = bare(schema);
  const chosen = whole instanceof z.ZodDiscriminatedUnion ? optionOf(whole, value as Record<string, unknown>) : whole;
  const part: unknown = chosen instanceof z.ZodObject ? chosen.shape[name] : undefined;
  if (part instanceof z.ZodType) return part;
  throw new Error(`The contract has no field ${name}`);
}

function optionOf({ def, options }: z.ZodDiscriminatedUnion, value: Record<string, unknown>): unknown {
  const name = def.discriminator;
  return options.find((option) => option instanceof z.ZodObject && option.shape[name].value === value[name]);
}

/** The schema without "may be null", a default, or what follows it. */
export function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return bare(schema.unwrap());
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema;
}

/** The number in a check of a schema, such as its shortest length. */
export function limitOf(schema: z.ZodType, kind: "min_length" | "max_length" | "multiple_of"): number | undefined {
  const checks = (schema.def.checks ?? []).map(({ _zod }) => _zod.def as CheckDef);
  const found = checks.find(({ check }) => check === kind);
  return found?.minimum ?? found?.maximum ?? found?.value;
}

interface CheckDef {
  check: string;
  minimum?: number;
  maximum?: number;
  value?: number;
}
