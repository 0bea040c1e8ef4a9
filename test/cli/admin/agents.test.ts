import { describe, expect, test } from 'vitest';
import { agents } from '../../../functions/session/domain/workstations/agent.ts';
import { anyPerson } from '../../agent/holders.ts';
import { enrolTestAgent, tryToEnrol } from '../../functions/session/test-agent.ts';
import { done as doneAs, refused as refusedAs } from './in-process.ts';

const done = (words: readonly string[], more = {}) => doneAs(['agents', ...words], more);
const refused = (words: readonly string[], more = {}) => refusedAs(['agents', ...words], more);

describe('npm run admin -- agents', () => {
  test('gives a code that lets one workstation enrol, for the certificates of one CPF where it is told', async () => {
    const { cpf } = anyPerson();
    const out = await done(['code'], { cpf });
    const [code = ''] = out.split('\n');
    expect(out).toContain(`It lets one workstation enrol, for certificates of ${cpf}, until 20`);
    const answered = (await tryToEnrol({ code })).json() as { payload: string };
    const { agentId } = JSON.parse(answered.payload) as { agentId: string };
    expect(await agents.get(agentId)).toMatchObject({ cpf });
    expect((await tryToEnrol({ code: (await done(['code'])).split('\n')[0] ?? '' })).status).toBe(200);
  });

  test('lists the agents with what they hold, and shows no key', async () => {
    const person = anyPerson();
    const agent = await enrolTestAgent();
    await agent.hold(person);
    await agent.poll();
    const out = await done(['list']);
    expect(out).toMatch(
      new RegExp(`^${agent.agentId}  a desk  online  certificates: ${person.cpf} \\(\\w{8}\\)$`, 'm'),
    );
    expect(out).not.toContain((await agents.get(agent.agentId))?.sealedServerKey);
  });

  test('disables an agent by the first characters of its id', async () => {
    const agent = await enrolTestAgent();
    expect(await done(['disable', agent.agentId.slice(0, 13)])).toContain(
      `Disabled a desk (${agent.agentId})`,
    );
    await expect(agent.poll()).rejects.toThrow(/^401/);
    expect(await done(['list'])).toMatch(
      new RegExp(`^${agent.agentId}  a desk  disabled  certificates: none$`, 'm'),
    );
  });

  test('refuses a CPF that is none, an agent that is not there, and a word too few, in one line', async () => {
    const [cpf, agent, nobody, usage] = await Promise.all([
      refused(['code'], { cpf: '11111111111' }),
      refused(['disable', 'nobody']),
      refused(['disable', '']),
      refused(['disable']),
    ]);
    expect(cpf).toBe('"11111111111" is no CPF: its check digits are wrong.');
    expect(agent).toBe('There is no agent "nobody". See: npm run admin -- agents list');
    expect(nobody).toContain('There is no agent ""');
    expect(usage).toBe('Usage: npm run admin -- agents disable AGENT');
  });
});
