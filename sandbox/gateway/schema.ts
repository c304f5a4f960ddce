import types from "./schema.json" with { type: "json" };

interface Element {
  readonly name: string;
  /** A simple type, another type of this schema, or "any": not validated. */
  readonly type: string;
  readonly required?: boolean;
  /** At most one of adjacent elements with this mark may be present. */
  readonly choice?: boolean;
  readonly many?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minInclusive?: number;
  readonly maxInclusive?: number;
  readonly values?: readonly string[];
}

const schema: Readonly<Record<string, readonly Element[] | undefined>> = types;

const NAMESPACE = "AnetApi/xml/v1/schema/AnetApiSchema.xsd";

/** Errors never repeat values of these elements, as the real gateway's do, because errors are logged. */
const SECRET = new Set(["cardNumber", "cardCode", "expirationDate", "dataValue", "transactionKey", "clientKey"]);

export function isRequestName(name: string): boolean {
  return name.endsWith("Request") && schema[name] !== undefined;
}

/**
 * Validates a request by the gateway's schema and returns the gateway's error text, or null. The gateway converts
 * JSON to XML, so the order of members matters too.
 */
export function schemaErrorOf(requestName: string, request: unknown): string | null {
  return contentError(requestName, requestName, request);
}

function contentError(elementName: string, typeName: string, value: unknown): string | null {
  const expected = schema[typeName];
  if (!expected) return null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return `${qualified(elementName)} element is invalid - The value is invalid according to its datatype '${typeName}'.`;
  }
  let position = 0;
  let choiceTaken = false;
  for (const [name, child] of Object.entries(value)) {
    const index = expected.findIndex((element, at) => at >= position && element.name === name);
    const element = expected[index];
    const skipsRequired = expected.slice(position, Math.max(index, position)).some((skipped) => skipped.required);
    if (!element || skipsRequired || (element.choice && choiceTaken)) {
      return unexpectedChild(elementName, name, expected.slice(position), choiceTaken);
    }
    choiceTaken ||= element.choice === true;
    const error = childError(element, child);
    if (error) return error;
    position = index + 1;
  }
  const missing = expected.slice(position).find((element) => element.required);
  if (!missing) return null;
  const possible = expected.slice(position, expected.indexOf(missing) + 1).map((element) => element.name);
  return `The element '${elementName}' in namespace '${NAMESPACE}' has incomplete content. List of possible elements expected: '${possible.join(", ")}' in namespace '${NAMESPACE}'.`;
}

function childError(element: Element, child: unknown): string | null {
  if (Array.isArray(child)) {
    if (!element.many) return unexpectedChild(element.name, element.name, [], false);
    return child.map((one) => childError(element, one)).find((error) => error !== null) ?? null;
  }
  if (element.type === "any") return null;
  return schema[element.type] ? contentError(element.name, element.type, child) : simpleError(element, child);
}

function simpleError(element: Element, value: unknown): string | null {
  const isText = typeof value === "string" || typeof value === "number";
  const text = isText || (typeof value === "boolean" && element.type === "boolean") ? String(value) : null;
  const fault = text === null ? "The string is not a valid value." : faultOf(element, text);
  if (fault === null) return null;
  const shown = SECRET.has(element.name) || text === null ? "" : text;
  const datatype = element.type.charAt(0).toUpperCase() + element.type.slice(1);
  return `${qualified(element.name)} element is invalid - The value '${shown}' is invalid according to its datatype '${datatype}' - ${fault}`;
}

function faultOf(element: Element, text: string): string | null {
  if (element.maxLength !== undefined && text.length > element.maxLength) {
    return "The actual length is greater than the MaxLength value.";
  }
  if (element.minLength !== undefined && text.length < element.minLength) {
    return "The actual length is less than the MinLength value.";
  }
  if (element.type === "numericString" && !/^\d+$/.test(text)) return "The Pattern constraint failed.";
  if (element.type === "decimal" && !/^-?\d+(\.\d+)?$/.test(text))
    return `The string '${text}' is not a valid Decimal value.`;
  if (element.type === "boolean" && !/^(true|false|0|1)$/.test(text)) {
    return `The string '${text}' is not a valid Boolean value.`;
  }
  if (element.values && !element.values.includes(text)) return "The Enumeration constraint failed.";
  if (element.type === "dateTime" && (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(Date.parse(text)))) {
    return `The string '${text}' is not a valid DateTime value.`;
  }
  if (element.type === "int" && !/^-?\d+$/.test(text)) return `The string '${text}' is not a valid Int32 value.`;
  if (element.minInclusive !== undefined && Number(text) < element.minInclusive)
    return "The MinInclusive constraint failed.";
  if (element.maxInclusive !== undefined && Number(text) > element.maxInclusive)
    return "The MaxInclusive constraint failed.";
  return null;
}

function unexpectedChild(parent: string, child: string, possible: readonly Element[], choiceTaken: boolean): string {
  const start = `The element '${parent}' in namespace '${NAMESPACE}' has invalid child element '${child}' in namespace '${NAMESPACE}'.`;
  const upToRequired = possible.slice(0, possible.findIndex((element) => element.required) + 1 || possible.length);
  const names = upToRequired.filter((element) => !(element.choice && choiceTaken)).map((element) => element.name);
  if (names.length === 0) return start;
  return `${start} List of possible elements expected: '${names.join(", ")}' in namespace '${NAMESPACE}'.`;
}

function qualified(name: string): string {
  return `The '${NAMESPACE}:${name}'`;
}
