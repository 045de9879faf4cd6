/** The fingerprint of a key under which opt-outs were stored: without that key they cannot be found. */
import { Entity, PrimaryColumn } from 'typeorm';

@Entity('refusal_keys')
export class OptOutKeyEntity {
  @PrimaryColumn({ type: 'bytea' }) fingerprint: Buffer;
}
