/** Limits on the temporary disk space of a query, by role. */
import { READER_ROLE, type ServiceRole } from './roles.js';

/**
 * Per connection, in PostgreSQL's notation. Setting it requires a superuser, or the SET privilege on this parameter.
 */
export const TEMP_FILE_LIMIT: Readonly<Partial<Record<ServiceRole, string>>> = { [READER_ROLE]: '4GB' };
