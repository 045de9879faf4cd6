/** Erases a contact's preferences. */
import { Module } from '@nestjs/common';
import { PreferenceErasure } from './application/preference-erasure.js';
import { ContactPreferencesRepository } from './persistence/contact-preferences.repository.js';

@Module({ providers: [ContactPreferencesRepository, PreferenceErasure], exports: [PreferenceErasure] })
export class PreferenceErasureModule {}
