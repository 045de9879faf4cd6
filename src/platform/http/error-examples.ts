/** Example bodies of each error for the documentation of routes. Section 7.2 defines the extra fields. */
import { DomainError, type ErrorFields } from '../../kernel/domain-error.js';
import type { ErrorCode } from '../../kernel/error-catalogue.js';

const EXAMPLE_REQUEST_ID = '01931f2a-5b7c-7d3e-8f10-2a4b6c8d0e1f';

interface Example {
  readonly detail: string;
  readonly fields?: ErrorFields;
}

/** Codes whose body has extra fields or a specific text. The others use a text made from the code's name. */
const EXAMPLES: Partial<Record<ErrorCode, Example>> = {
  missing_permission: {
    detail: 'This requires the permission flows:write.',
    fields: { required_permission: 'flows:write' },
  },
  insufficient_scope: {
    detail: 'The key has the scope data; this endpoint requires management or full.',
    fields: { required_scopes: ['management', 'full'], your_scopes: ['data'] },
  },
  scope_forbidden: { detail: 'This requires a key with the scope data.', fields: { required_scope: 'data' } },
  insufficient_role: {
    detail: 'This requires the role owner or admin.',
    fields: { required_roles: ['owner', 'admin'], your_role: 'viewer' },
  },
  control_plane_only: {
    detail: 'This endpoint is not available to API keys: use the dashboard.',
    fields: { dashboard_url: 'http://127.0.0.1:3000' },
  },
  validation_error: {
    detail: 'name: is required',
    fields: { errors: [{ field: 'name', message: 'is required' }] },
  },
  invalid_email: {
    detail: 'email: must be an email address',
    fields: { errors: [{ field: 'email', message: 'must be an email address' }] },
  },
  invalid_field: {
    detail: 'limit: must not be greater than 200',
    fields: { errors: [{ field: 'limit', message: 'must not be greater than 200' }] },
  },
};

/** The example body of an error code. */
export function errorExample(code: ErrorCode): Record<string, unknown> {
  const { detail, fields } = EXAMPLES[code] ?? { detail: sentenceOf(code) };
  return { ...new DomainError(code, detail, fields).body(), request_id: EXAMPLE_REQUEST_ID };
}

function sentenceOf(code: string): string {
  const text = code.replaceAll('_', ' ').replace('api key', 'API key');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
