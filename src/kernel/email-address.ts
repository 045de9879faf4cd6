/** Validates email addresses. */

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/**
 * Whether a text has the form that mailbox providers accept: a dot-separated local part of at most 64 characters and a
 * domain of labels, at most 254 characters in total. Quoted local parts and address literals are rejected.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length > 254) return false;
  const labels = text.slice(at + 1).split('.');
  return LOCAL.test(text.slice(0, at)) && labels.every((label) => LABEL.test(label));
}
