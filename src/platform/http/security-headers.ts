/**
 * Security headers for browsers. Helmet computes their values once at startup, because it would otherwise build the
 * same strings for every request.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';

export interface SecurityHeaders {
  /** For every response: nothing in it may run, load or be framed. */
  readonly strict: Readonly<Record<string, string>>;
  /** Content-Security-Policy of our own pages (documentation, playground): files of this origin only. */
  readonly pagePolicy: string;
}

const STRICT: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  frameguard: { action: 'deny' },
  // Only for obsolete browsers, or only for documents.
  originAgentCluster: false,
  dnsPrefetchControl: false,
  ieNoOpen: false,
  permittedCrossDomainPolicies: false,
  xssFilter: false,
  crossOriginOpenerPolicy: false,
};

const PAGE: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      // Both pages set styles from scripts.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
};

const POLICY = 'content-security-policy';

/** Computes the headers with helmet. */
export function securityHeaders(): SecurityHeaders {
  return { strict: headersOf(STRICT), pagePolicy: headersOf(PAGE)[POLICY] ?? '' };
}

function headersOf(options: HelmetOptions): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, (error?: unknown) => {
    if (error !== undefined) throw error as Error;
  });
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}
