/**
 * A small JSON Schema validator: the keywords which the GABP schemas use, with draft-07 meaning
 * (a schema with "$ref" ignores its other keywords).
 * @typedef {{path: string, message: string}} Problem
 * @typedef {(ref: string, base: string) => {schema: any, base: string}} Resolver
 */
import { isObject, isUuid } from './names.mjs';

/** @param {unknown} value */
function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** @param {unknown} value @param {string} type */
function hasType(value, type) {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  return typeOf(value) === type;
}

/** @param {string} text */
function isUri(text) {
  return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/.test(text);
}

/** @param {string} text */
function isDateTime(text) {
  const form = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
  return form.test(text) && !Number.isNaN(Date.parse(text));
}

const FORMATS = { uuid: isUuid, uri: isUri, 'date-time': isDateTime };

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Keyword checks that need no sub-schema. Each returns a message or null. */
const SIMPLE = {
  type: (value, rule) => {
    const types = Array.isArray(rule) ? rule : [rule];
    return types.some((type) => hasType(value, type)) ? null : `must be of type ${types.join(' or ')}`;
  },
  const: (value, rule) => (same(value, rule) ? null : `must be ${JSON.stringify(rule)}`),
  enum: (value, rule) => (rule.some((item) => same(item, value)) ? null : `must be one of ${JSON.stringify(rule)}`),
  minLength: (value, rule) =>
    typeof value !== 'string' || [...value].length >= rule ? null : `must have at least ${rule} characters`,
  maxLength: (value, rule) =>
    typeof value !== 'string' || [...value].length <= rule ? null : `must have at most ${rule} characters`,
  pattern: (value, rule) =>
    typeof value !== 'string' || new RegExp(rule, 'u').test(value) ? null : `must match ${rule}`,
  format: (value, rule) =>
    typeof value !== 'string' || !FORMATS[rule] || FORMATS[rule](value) ? null : `must have the format ${rule}`,
  minimum: (value, rule) => (typeof value !== 'number' || value >= rule ? null : `must be at least ${rule}`),
  maximum: (value, rule) => (typeof value !== 'number' || value <= rule ? null : `must be at most ${rule}`),
  minItems: (value, rule) =>
    !Array.isArray(value) || value.length >= rule ? null : `must have at least ${rule} items`,
  uniqueItems: (value, rule) =>
    !rule || !Array.isArray(value) || new Set(value.map((item) => JSON.stringify(item))).size === value.length
      ? null
      : 'must have no equal items',
};

/** One run of a validation. */
class Run {
  /** @param {Resolver} resolve */
  constructor(resolve) {
    this.resolve = resolve;
  }

  /**
   * @param {unknown} value @param {any} schema @param {string} base @param {string} path
   * @returns {Problem[]}
   */
  check(value, schema, base, path) {
    if (schema === true) return [];
    if (schema === false) return [{ path, message: 'is not allowed' }];
    if (schema.$ref !== undefined) {
      const target = this.resolve(schema.$ref, base);
      return this.check(value, target.schema, target.base, path);
    }
    return [
      ...this.simple(value, schema, path),
      ...this.object(value, schema, base, path),
      ...this.array(value, schema, base, path),
      ...this.combined(value, schema, base, path),
    ];
  }

  simple(value, schema, path) {
    const problems = [];
    for (const [keyword, test] of Object.entries(SIMPLE)) {
      const message = keyword in schema ? test(value, schema[keyword]) : null;
      if (message) problems.push({ path, message });
    }
    return problems;
  }

  object(value, schema, base, path) {
    if (!isObject(value)) return [];
    const problems = (schema.required ?? [])
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => ({ path: `${path}/${name}`, message: 'is required' }));
    for (const [name, item] of Object.entries(value)) {
      for (const sub of this.schemasOf(name, schema)) {
        problems.push(...this.check(item, sub, base, `${path}/${name}`));
      }
    }
    return problems;
  }

  /** @returns {any[]} the schemas which rule the property of that name */
  schemasOf(name, schema) {
    const found = [];
    if (schema.properties && Object.hasOwn(schema.properties, name)) found.push(schema.properties[name]);
    for (const [pattern, sub] of Object.entries(schema.patternProperties ?? {})) {
      if (new RegExp(pattern, 'u').test(name)) found.push(sub);
    }
    if (found.length === 0 && schema.additionalProperties !== undefined) found.push(schema.additionalProperties);
    return found;
  }

  array(value, schema, base, path) {
    if (!Array.isArray(value) || schema.items === undefined) return [];
    return value.flatMap((item, index) => this.check(item, schema.items, base, `${path}/${index}`));
  }

  combined(value, schema, base, path) {
    const test = (sub) => this.check(value, sub, base, path);
    const problems = (schema.allOf ?? []).flatMap(test);
    if (schema.anyOf && !schema.anyOf.some((sub) => test(sub).length === 0)) {
      problems.push({ path, message: 'must match one of the anyOf schemas' });
    }
    if (schema.oneOf) problems.push(...this.oneOf(schema.oneOf.map(test), path));
    if (schema.not && test(schema.not).length === 0) problems.push({ path, message: "must not match 'not'" });
    return problems;
  }

  /** @param {Problem[][]} results */
  oneOf(results, path) {
    const fits = results.filter((result) => result.length === 0).length;
    if (fits === 1) return [];
    if (fits > 1) return [{ path, message: 'must match only one of the oneOf schemas' }];
    const nearest = [...results].sort((a, b) => a.length - b.length)[0];
    return [{ path, message: 'must match one of the oneOf schemas' }, ...nearest];
  }
}

/** @type {Resolver} */
const noReferences = (ref) => {
  throw new Error(`The reference ${ref} can not be resolved`);
};

/**
 * @param {unknown} value
 * @param {any} schema
 * @param {{resolve?: Resolver, base?: string}} [options]
 * @returns {Problem[]} empty when the value is valid
 */
export function validate(value, schema, { resolve = noReferences, base = '' } = {}) {
  return new Run(resolve).check(value, schema, base, '');
}
