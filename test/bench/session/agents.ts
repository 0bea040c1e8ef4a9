import { setTimeout as pause } from 'node:timers/promises';
import { connectionOf } from '../../../agent/connection.ts';
import { deadlineIn } from '../../../functions/session/domain/deadline.ts';
import { disableAgent } from '../../../functions/session/domain/workstations/administration.ts';
import { presences } from '../../../functions/session/domain/workstations/presence.ts';
import { relay } from '../../../functions/session/domain/workstations/relay.ts';
import { enrolTestAgent, type TestAgent } from '../../functions/session/test-agent.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { cleanUp, type EngineProcess, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { killAndRestart } from '../../infra/local/engine/kills/killed-work.ts';
import { startEngineCpuClock } from '../measure/engine-cpu.ts';
import type { Figure } from '../measure/figures.ts';

const AGENTS = 500;
const ENROLLED_AT_ONCE = 10;
const IDLE_MS = 20_000;
const TASKS = 50;
const SECOND_MS = 1_000;
const LOOK_MS = 100;
const GIVE_UP_MS = 120_000;

type Running = { readonly agent: TestAgent; workedAtMs: number; lastLine: string };

/** Agents that are connected to one engine: what they cost while they wait, and how soon a task is theirs. */
export async function figures(): Promise<Figure[]> {
  // Functions that enrol agents run in this process, whose output is the figures.
  process.env.Log__Level = 'ERROR';
  const engine = await startEngineProcess();
  await engine.ready();
  joinEngine(engine.dataDir);
  const stop = new AbortController();
  try {
    const alone = await idleShare(engine);
    const agents = await enrolAll();
    const running = agents.map((agent) => run(agent, engine.url, stop.signal));
    await until(async () => (await connectionsOf(agents)).size === AGENTS);
    const versions = await versionsOf(agents);
    const waiting = await idleShare(engine);
    const wrote = (await versionsOf(agents)).filter((version, at) => version !== versions[at]).length;
    const arrivals = await arrivalsAt(running);
    const { lost, spreadMs } = await killAndCount(engine, agents);
    const cutOffMs = await cutOff(running);
    return [
      {
        name: `the CPU of an engine with ${AGENTS} agents that wait, of one core`,
        ratio: waiting,
        promised: { atMost: 0.05 },
        detail: `${percent(waiting)} of a core in ${IDLE_MS / SECOND_MS} s; ${percent(alone)} before they came`,
      },
      {
        name: 'of those agents, how many wrote to the table while they waited',
        ratio: wrote,
        promised: { atMost: 0 },
        detail: `${AGENTS} agents`,
      },
      {
        name: 'the slowest task to reach its agent, against a second',
        ratio: Math.max(...arrivals) / SECOND_MS,
        promised: { atMost: 1 },
        detail: `${TASKS} tasks, ${Math.round(arrivals.toSorted((a, b) => a - b)[TASKS / 2] ?? 0)} ms in the middle`,
      },
      {
        name: 'the engine killed and started again: agents that did not connect again',
        ratio: lost,
        promised: { atMost: 0 },
        detail: `${AGENTS} agents, the last one ${Math.round(spreadMs)} ms after the first`,
      },
      {
        name: 'an agent that is disabled, until its connection has ended, against a second',
        ratio: cutOffMs / SECOND_MS,
        promised: { atMost: 1 },
        detail: `${Math.round(cutOffMs)} ms`,
      },
    ];
  } finally {
    stop.abort();
    await cleanUp();
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

async function idleShare({ process: { pid = 0 } }: EngineProcess): Promise<number> {
  const cpuMs = startEngineCpuClock(pid);
  await pause(IDLE_MS);
  return cpuMs() / IDLE_MS;
}

async function enrolAll(): Promise<TestAgent[]> {
  const agents: TestAgent[] = [];
  while (agents.length < AGENTS)
    agents.push(...(await Promise.all(Array.from({ length: ENROLLED_AT_ONCE }, () => enrolTestAgent()))));
  return agents;
}

function run(agent: TestAgent, url: string, signal: AbortSignal): Running {
  const running: Running = { agent, workedAtMs: 0, lastLine: '' };
  const note = (line: string): void => {
    running.lastLine = line;
  };
  const { agentId, keys, server } = agent;
  const connection = connectionOf({
    identity: {
      agentId,
      server: `${url}/session`,
      name: 'bench',
      ed25519: keys.ed25519.privateKey,
      x25519: keys.x25519.privateKey,
      serverKey: server,
    },
    output: { print: note, printError: note },
    signal,
    pinInUse: () => true,
    work: async () => {
      running.workedAtMs = performance.now();
      return { outcome: 'matched' };
    },
  });
  void connection.run();
  return running;
}

/** The connection of each agent that has one. */
async function connectionsOf(agents: readonly TestAgent[]): Promise<Map<string, string>> {
  const found = await presences.getMany(agents.map(({ agentId }) => agentId));
  return new Map(found.flatMap(({ agentId, connection }) => (connection ? [[agentId, connection.id]] : [])));
}

const versionsOf = async (agents: readonly TestAgent[]): Promise<string[]> =>
  (await presences.getMany(agents.map(({ agentId }) => agentId))).map(({ version }) => version);

async function until(holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error('It did not happen in two minutes.');
    await pause(LOOK_MS);
  }
}

async function arrivalsAt(running: readonly Running[]): Promise<number[]> {
  const arrivals: number[] = [];
  for (const each of running.slice(0, TASKS)) {
    const startedAt = performance.now();
    const result = await relay({
      agentId: each.agent.agentId,
      contentFor: () => ({ kind: 'compare-pin', box: 'c2VhbGVk' }),
      deadline: deadlineIn(GIVE_UP_MS, Date.now),
      absenceMs: GIVE_UP_MS,
    });
    if (typeof result === 'string') throw new Error(`A task ended as ${result}.`);
    arrivals.push(each.workedAtMs - startedAt);
  }
  return arrivals;
}

async function killAndCount(engine: EngineProcess, agents: readonly TestAgent[]) {
  const before = await connectionsOf(agents);
  await killAndRestart(engine, {});
  let firstAt = 0;
  let lost = AGENTS;
  await until(async () => {
    const now = await connectionsOf(agents);
    lost = agents.filter(
      ({ agentId }) => (now.get(agentId) ?? before.get(agentId)) === before.get(agentId),
    ).length;
    if (lost < AGENTS && firstAt === 0) firstAt = performance.now();
    return lost === 0;
  }).catch(() => undefined);
  return { lost, spreadMs: performance.now() - firstAt };
}

async function cutOff(running: readonly Running[]): Promise<number> {
  const [one] = running;
  if (!one) return Number.NaN;
  const startedAt = performance.now();
  await disableAgent(one.agent.agentId);
  await until(async () => one.lastLine.includes('does not accept this agent'));
  return performance.now() - startedAt;
}
