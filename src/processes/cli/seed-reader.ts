/** Reads values of a file that a person wrote, and collects all errors by path. */
import { DomainError, type FieldError, invalidFields } from '../../kernel/domain-error.js';
import { isEmailAddress } from '../../kernel/email-address.js';
import { isJsonObject, isStorableText, type JsonObject } from '../../kernel/json.js';

const MAX_TEXT_LENGTH = 255;

export class SeedReader {
  private readonly errors: FieldError[] = [];

  /** Records an error. */
  addError(path: string, message: string): void {
    this.errors.push({ field: path, message });
  }

  /** @throws DomainError invalid_field naming every invalid path, if there is any. */
  finish(): void {
    if (this.errors.length > 0) throw invalidFields(this.errors);
  }

  /** Runs another module's parser and records its errors below `path`. */
  attempt<Value>(path: string, read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { errors } = error.fields;
      if (!errors?.length) this.addError(path, error.detail);
      for (const { field, message } of errors ?? []) this.addError(`${path}.${field}`, message);
      return undefined;
    }
  }

  /** Reads an object with known members only. Any other value reads as an empty object. */
  object(value: unknown, path: string, known: readonly string[]): JsonObject {
    if (value === undefined) return {};
    if (!isJsonObject(value)) {
      this.addError(path, 'must be an object');
      return {};
    }
    for (const name of Object.keys(value))
      if (!known.includes(name)) this.addError(`${path}.${name}`, 'is not a known field');
    return value;
  }

  /** Reads a list and each item with its path. An absent list reads as empty. */
  list<Item>(value: unknown, path: string, read: (item: unknown, path: string) => Item): Item[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.addError(path, 'must be a list');
      return [];
    }
    return value.map((item: unknown, i) => read(item, `${path}[${i}]`));
  }

  /** Checks that items with the same key appear only once in a list. */
  distinct(keys: readonly string[], path: string, what: string): void {
    keys.forEach((key, i) => {
      if (key !== '' && keys.indexOf(key) < i)
        this.addError(`${path}[${i}]`, `has the same ${what} as another entry`);
    });
  }

  requiredText(value: unknown, path: string): string {
    if (typeof value === 'string' && value.trim() === '') this.addError(path, 'must not be empty');
    if (value === undefined) this.addError(path, 'is required');
    return this.optionalText(value, path) ?? '';
  }

  optionalText(value: unknown, path: string): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && isStorableText(value)) return value;
    this.addError(path, `must be a string of at most ${MAX_TEXT_LENGTH} characters`);
    return undefined;
  }

  optionalEmail(value: unknown, path: string): string | undefined {
    const text = this.optionalText(value, path);
    if (text !== undefined && !isEmailAddress(text)) this.addError(path, 'must be an email address');
    return text;
  }

  flag(value: unknown, path: string, fallback: boolean): boolean {
    if (value === undefined) return fallback;
    if (typeof value !== 'boolean') this.addError(path, 'must be true or false');
    return value === true;
  }

  choice<Choice extends string>(
    value: unknown,
    path: string,
    choices: readonly Choice[],
    fallback?: Choice,
  ): Choice {
    const [first] = choices;
    const chosen = value === undefined ? fallback : choices.find((choice) => choice === value);
    if (chosen === undefined) this.addError(path, `must be one of ${choices.join(', ')}`);
    return (chosen ?? first) as Choice;
  }

  wholeNumber(value: unknown, path: string, max: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value;
    this.addError(
      path,
      max === Infinity ? 'must be an integer of at least 1' : `must be between 1 and ${max}`,
    );
    return 1;
  }
}
