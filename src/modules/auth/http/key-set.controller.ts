/** Publishes the local issuer's key set, with which other tools verify its tokens; absent with an identity provider. */
import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { JWK } from 'jose';
import { LocalIssuer } from '../application/local-issuer.js';
import { Public } from '../../access/public.decorator.js';

@ApiExcludeController()
@Controller('.well-known')
export class KeySetController {
  constructor(private readonly issuer: LocalIssuer) {}

  @Get('jwks.json')
  @Public()
  keySet(): { readonly keys: readonly JWK[] } {
    return this.issuer.document;
  }
}
