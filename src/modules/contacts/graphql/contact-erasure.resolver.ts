/** Erasure for privacy law, in the dashboard. */
import { Args, ID, Mutation, Resolver } from '@nestjs/graphql';
import { COST } from '../../../platform/graphql/costs.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactErasureService } from '../application/contact-erasure.service.js';
import { ErasedContactOutput, erasedContactOutput } from '../output/erased-contact.output.js';

@Resolver()
export class ContactErasureResolver {
  constructor(private readonly erasure: ContactErasureService) {}

  @Mutation(() => ErasedContactOutput, {
    complexity: COST.sweep,
    description:
      'Permanently removes all personal data of a contact, identified by its ID or external_id. Counts do not ' +
      'change.',
  })
  @Requires({ permission: 'contacts:write', roles: ['owner', 'admin'] })
  async eraseContact(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ErasedContactOutput> {
    return erasedContactOutput(await this.erasure.erase(scopeOf(principal), id));
  }
}
