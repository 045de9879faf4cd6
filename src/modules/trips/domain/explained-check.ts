/** Explains checks. The result of a check of an address is only shown to callers who may read contacts. */
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { readsAddress } from '../../flows/domain/address-checks.js';
import type { Check, ContactCheck } from '../../flows/domain/check.js';
import { namesAddress } from '../../segments/domain/filter-inputs.js';

/** The inputs of a check. Leaves out whether it holds if that would reveal an address. */
export function withoutResult(facts: JsonObject): JsonObject {
  const { holds, ...rest } = facts;
  const { field } = facts;
  return holds === undefined || (typeof field === 'string' && namesAddress(field)) ? rest : facts;
}

/** What a check compares with: its operator, and the expected value. */
export function expectationOf(check: Check, withValues: boolean): JsonObject {
  if (!withValues && readsAddress(check)) return {};
  switch (check.source) {
    case 'contact':
    case 'trigger_event': {
      const { operator, value } = check;
      return { operator, ...(value === undefined ? {} : { expected: value }) };
    }
    case 'segment':
      return { expected: check.member };
    case 'latest_event': {
      const { exists, within, attributes } = check;
      return {
        expected: {
          exists,
          ...(within === undefined ? {} : { within }),
          ...(attributes === undefined ? {} : { attributes }),
        },
      };
    }
  }
}

/** The facts with what each check that a split evaluated compares with. */
export function withExpectations(
  shown: JsonObject,
  branches: readonly { readonly check?: Check }[],
  withValues: boolean,
): JsonObject {
  const { asked } = shown;
  if (!Array.isArray(asked)) return shown;
  return {
    ...shown,
    asked: asked.map((one: unknown) => {
      if (!isJsonObject(one)) return one;
      const check = branches[Number(one['branch'])]?.check;
      return { ...(withValues ? one : withoutResult(one)), ...(check && expectationOf(check, withValues)) };
    }),
  };
}

export function formatWithheldCheck({ field }: ContactCheck): string {
  return `the contact’s ${field} (the result requires permission to read contacts)`;
}
