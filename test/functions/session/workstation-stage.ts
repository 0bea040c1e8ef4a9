import { type AgentProcess, agentProcess, cleanUp, enrolled, p12Of } from '../../agent/agent-process.ts';
import { type HolderPage, holderPage } from '../../agent/holder-page.ts';
import type { Person } from '../../agent/holders.ts';
import { serveSession } from '../../agent/host.ts';
import { useShortTimes } from '../../agent/short-times.ts';
import { softToken } from '../../agent/soft-token.ts';
import { issueCertificate } from './issue-certificate.ts';
import { aPdf } from './pdfs.ts';
import { sessionStage } from './stage.ts';

export type WorkstationStage = Awaited<ReturnType<typeof workstationStage>>;

type Options = {
  readonly cpf: string;
  readonly pin: string;
  /** In a PKCS#11 token instead of a certificate file. */
  readonly inToken?: boolean;
};

/** The session server, and a workstation whose agent runs with its PIN in use. */
export async function workstationStage({ cpf, pin, inToken = false }: Options) {
  const stage = await sessionStage();
  useShortTimes();
  const host = await serveSession();
  const holder = await issueCertificate(stage.sandbox, { cpf, pin, email: 'ana@example.com' });
  const person: Person = { ...holder, cpf, name: 'PESSOA DE TESTE' };
  const { words, env } = inToken
    ? softToken([person], pin)
    : { words: ['--p12', await p12Of(person, pin)], env: {} };
  const dataDir = await enrolled(host, cpf);
  const launch = async (): Promise<{ agent: AgentProcess; page: HolderPage }> => {
    const agent = agentProcess(['run', ...words, '--data', dataDir], env);
    const page = await holderPage(agent);
    await agent.said(/Connected/);
    return { agent, page };
  };
  let running = await launch();
  await running.page.shows(/needed once/);
  await running.page.confirm(pin);
  await running.agent.said(/Offering/);
  return {
    ...stage,
    host,
    person,
    pdf: await aPdf(),
    /** The agent that was started last, and its holder's page. */
    agent: () => running.agent,
    page: () => running.page,
    async start(): Promise<void> {
      running = await launch();
    },
    async stop(): Promise<void> {
      await cleanUp();
      host.close();
      await stage.stop();
    },
  };
}
