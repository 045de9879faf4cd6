/** How much temporary space a question may take on the database server's disk, by who asks it. */
import { READER_ROLE, type ServiceRole } from './roles.js';

/**
 * Of each connection, as PostgreSQL writes it. To set it takes a superuser, or an account with the privilege SET on this
 * parameter.
 */
export const TEMP_FILE_LIMIT: Readonly<Partial<Record<ServiceRole, string>>> = { [READER_ROLE]: '4GB' };
