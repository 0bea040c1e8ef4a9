import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HolderFields } from '../../../../../functions/sandbox/authority/domain/issuing/icp-brasil.ts';
import {
  disableAgent,
  listAgents,
} from '../../../../../functions/session/domain/workstations/administration.ts';
import { workstationCertificates } from '../../../../../functions/session/domain/workstations/certificates.ts';
import { findCandidates } from '../../../../../functions/session/domain/workstations/offered-pin.ts';
import { anyCpf, anyPerson, type Person } from '../../../../agent/holders.ts';
import { testPki } from '../../../../certificates/pki.ts';
import { enrolTestAgent, proofBy, type TestAgent } from '../../test-agent.ts';

let agent: TestAgent;
beforeEach(async () => {
  agent = await enrolTestAgent();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const offer = (...certificates: { der: string; proof: string }[]) =>
  agent.post('/agent/certificates', { certificates });
const der = ({ certificate }: Person) => certificate.der.toString('base64');
const proof = async (person: Person, agentId = agent.agentId) =>
  (await proofBy(person, agentId)).toString('base64');
const found = async (cpf: string) =>
  (await workstationCertificates(cpf, Date.now())).map(({ sha256, agentId }) => [sha256, agentId]);

describe('a certificate that an agent offers', () => {
  test.each(['rsa2048', 'p256', 'p384'] as const)(
    'is found by its CPF when its %s key made the proof',
    async (kind) => {
      const person = anyPerson(kind);
      expect(await agent.hold(person)).toEqual({
        certificates: [{ sha256: person.certificate.sha256, cpf: person.cpf }],
      });
      expect(await found(person.cpf)).toEqual([[person.certificate.sha256, agent.agentId]]);
    },
  );

  // Certificates are public. An agent that could name anybody's would be offered anybody's PIN.
  test('is refused when the proof was made for another agent, by another key, or is no signature', async () => {
    const [person, stranger] = [
      anyPerson(),
      { ...anyPerson(), ...testPki().holder({ keyName: 'stranger' }) },
    ];
    const wrong = [
      await proof(person, 'another'),
      (await proofBy({ ...stranger, certificate: stranger.certificate }, agent.agentId)).toString('base64'),
      Buffer.from('nothing').toString('base64'),
    ];
    for (const each of wrong)
      await expect(offer({ der: der(person), proof: each })).rejects.toThrow(
        /^400 .*certificates\.0.*no proof/,
      );
    expect(await found(person.cpf)).toEqual([]);
  });

  test('is refused when it is no certificate, or names no CPF', async () => {
    const holder = (fields: HolderFields): Person => ({
      ...anyPerson(),
      ...testPki().holder({ commonName: 'NOBODY', fields }),
    });
    const nobody = holder({ email: 'nobody@example.com' });
    const malformed = holder({}); // its list of names is empty, which none may be
    await expect(offer({ der: der(nobody), proof: await proof(nobody) })).rejects.toThrow(/names no CPF/);
    for (const each of [der(malformed), Buffer.from('none').toString('base64')])
      await expect(offer({ der: each, proof: 'AAAA' })).rejects.toThrow(/^400 .*is not a certificate/);
  });

  test('is left out when the agent was enrolled for another CPF', async () => {
    const [person, other] = [anyPerson(), anyPerson()];
    agent = await enrolTestAgent({ cpf: person.cpf });
    expect(await agent.hold(person, other)).toEqual({
      certificates: [{ sha256: person.certificate.sha256, cpf: person.cpf }],
    });
    expect(await found(person.cpf)).toHaveLength(1);
    expect(await found(other.cpf)).toEqual([]);
  });

  test('takes the place of those before it; what is not offered any more is gone', async () => {
    const [first, second, third] = [anyPerson(), anyPerson(), anyPerson()];
    await agent.hold(first, second);
    await agent.hold(second, third, third);
    expect(await found(first.cpf)).toEqual([]);
    expect(await found(second.cpf)).toHaveLength(1);
    expect(await found(third.cpf)).toHaveLength(1);
    await agent.hold();
    expect(await found(second.cpf)).toEqual([]);
  });

  test('may be at several workstations, and is not at one that was disabled', async () => {
    const person = anyPerson();
    const other = await enrolTestAgent();
    await Promise.all([agent.hold(person), other.hold(person)]);
    expect(await found(person.cpf)).toHaveLength(2);
    await disableAgent(other.agentId);
    expect(await found(person.cpf)).toEqual([[person.certificate.sha256, agent.agentId]]);
  });
});

describe('a workstation', () => {
  test('is online from its poll on, for as long as Agents:OnlineFor says', async () => {
    const person = anyPerson();
    await agent.hold(person);
    const isOnline = async (nowMs = Date.now()) =>
      (await workstationCertificates(person.cpf, nowMs))[0]?.online;
    expect(await isOnline()).toBe(false);
    await agent.poll();
    expect(await isOnline()).toBe(true);
    expect(await isOnline(Date.now() + 29_000)).toBe(true);
    expect(await isOnline(Date.now() + 30_001)).toBe(false);
  });

  test('with several certificates of a CPF binds the one that is valid and was issued last', async () => {
    const cpf = anyCpf();
    const year = (from: number, to: number): Person => {
      const change = { notBeforeMs: Date.UTC(from, 0, 1), notAfterMs: Date.UTC(to, 0, 1) };
      const fields = { person: { cpf, birthDate: '15021980' } };
      return { ...testPki().holder({ fields, change }), cpf, name: '' };
    };
    const [old, current, expired] = [year(2020, 2043), year(2022, 2043), year(2023, 2024)];
    await agent.hold(current, expired, old);
    await agent.poll();
    const { isHeld, online } = await findCandidates({ cpf }, Date.now());
    expect(isHeld).toBe(true);
    expect(online.map(({ sha256 }) => sha256)).toEqual([current.certificate.sha256]);
    const among = new Set([old.certificate.sha256]);
    expect((await findCandidates({ cpf, among }, Date.now())).online[0]?.sha256).toBe(old.certificate.sha256);
  });

  test('is listed with what it holds, and whether it is there', async () => {
    const person = anyPerson();
    await agent.hold(person);
    const listed = async () => (await listAgents(Date.now())).find(({ id }) => id === agent.agentId);
    expect(await listed()).toMatchObject({ name: 'a desk', online: false, lastSeenAtMs: undefined });
    await agent.poll();
    expect(await listed()).toMatchObject({ online: true, certificates: [{ cpf: person.cpf }] });
  });
});
