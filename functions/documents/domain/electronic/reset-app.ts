import { parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { authenticators } from '../document/authenticator.ts';
import { personIdOf } from '../flow/new-flow.ts';

/**
 * Forgets the authenticator app of a person, who sets up another one at their next signature. `who` is the CPF, else the
 * e-mail address, else the id by which documents name them. Tells whether there was one.
 */
export async function resetApp(organizationId: string, who: string): Promise<boolean> {
  const known = parseCpf(who) ?? who.toLowerCase();
  for (const personId of [who, personIdOf(organizationId, known)]) {
    const app = await authenticators.get({ organizationId, personId });
    if (!app) continue;
    await authenticators.delete(app);
    return true;
  }
  return false;
}
