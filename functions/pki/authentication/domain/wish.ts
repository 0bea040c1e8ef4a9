import { securityContext } from '../../domain/security-contexts.ts';
import { errors } from '../../errors.ts';
import type { Opening } from './authentication.ts';

/** What a caller asks an authentication to rest on. */
export type Wish = {
  readonly securityContextId?: string | null | undefined;
  readonly ignoreRevocationStatusUnknown?: boolean | null | undefined;
};

/** The wish as it binds: of a context that is known, and whose roots can be read. */
export function boundBy({ securityContextId, ignoreRevocationStatusUnknown }: Wish): Opening & {
  readonly securityContextId: string;
} {
  if (!securityContextId) throw errors.refuse('SecurityContextRequired');
  return {
    securityContextId: securityContext(securityContextId).id,
    ignoreRevocationStatusUnknown: ignoreRevocationStatusUnknown ?? false,
  };
}
