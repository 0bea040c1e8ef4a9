import { reasonOf } from '../../../shared/command-line/reason.ts';
import { SERVICES } from '../../../shared/settings/names.ts';

/**
 * Throws a line that names the service, unless one function of each has answered: then its code loads, its settings
 * hold and its routes are served.
 * @example await needAnswers('http://localhost:3000')
 */
export async function needAnswers(url: string): Promise<void> {
  await Promise.all([...SERVICES, 'sandbox'].map((service) => needAnswer(url, service)));
}

// Where a service has no such route, its own refusal of unknown ones answers.
async function needAnswer(url: string, service: string): Promise<void> {
  const address = `${url}/${service}/healthz`;
  const answer = await fetch(address).catch((error: unknown) => {
    throw new Error(`${address} does not answer: ${reasonOf(error)}.`, { cause: error });
  });
  await answer.body?.cancel();
  if (answer.status >= 500)
    throw new Error(`The ${service} service does not work: ${address} answers ${answer.status}.`);
}
