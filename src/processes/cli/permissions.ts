/** `cli permissions`: lists who may do what, as the guard enforces it. */
import { parseArgs } from 'node:util';
import { permissionMatrix } from '../../modules/access/domain/permission.js';

export function permissions(args: string[]): Promise<unknown> {
  parseArgs({ args });
  const { permissions, keyScopes } = permissionMatrix();
  return Promise.resolve({ permissions, key_scopes: keyScopes });
}
