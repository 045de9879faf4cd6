/** Topics and preferences with their GraphQL interface. */
import { Module } from '@nestjs/common';
import { ContactPreferencesResolver } from './graphql/contact-preferences.resolver.js';
import { TopicsResolver } from './graphql/topics.resolver.js';
import { PreferencesModule } from './preferences.module.js';

@Module({ imports: [PreferencesModule], providers: [ContactPreferencesResolver, TopicsResolver] })
export class PreferencesApiModule {}
