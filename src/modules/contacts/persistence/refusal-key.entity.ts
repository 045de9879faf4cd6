/** A key under which refusals were stored, by its fingerprint: without that key nobody could find them again. */
import { Entity, PrimaryColumn } from 'typeorm';

@Entity('refusal_keys')
export class RefusalKeyEntity {
  @PrimaryColumn({ type: 'bytea' }) fingerprint: Buffer;
}
