import { createApplication, issueKey, registerValue } from '../../../shared/access/administration.ts';
import { RETURN } from './calls.ts';

/** The key of an application that is not the sandbox's, with these addresses to send users back to. */
export async function anotherKey(name: string, redirectUris: readonly string[] = [RETURN]): Promise<string> {
  await createApplication('hub', { name, permissions: [] });
  for (const uri of redirectUris) await registerValue('hub', name, 'redirectUris', uri);
  return (await issueKey('hub', name)).text;
}
