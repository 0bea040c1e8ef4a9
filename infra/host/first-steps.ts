import { listApplications } from '../../shared/access/administration.ts';
import { KEYED_SERVICES } from '../../shared/settings/names.ts';

/**
 * The commands that make the first application, its key and the first organization; none once there is an application.
 * @example for (const command of await firstSteps('/etc/sinete/sinete.yaml')) log.info(command);
 */
export async function firstSteps(configFile: string): Promise<string[]> {
  const found = await Promise.all(KEYED_SERVICES.map(listApplications));
  if (found.some((applications) => applications.length > 0)) return [];
  const admin = (command: string): string => `npm run admin -- ${command} --config ${configFile}`;
  const services = KEYED_SERVICES.map((service) => `--service ${service}`).join(' ');
  return [
    admin(`apps create NAME ${services}`),
    admin(`keys issue NAME ${services}`),
    admin('organizations create "Name" --owner ID=NAME --identifier CNPJ --service documents'),
    admin('apps register NAME organizations ORGANIZATION --service documents'),
  ];
}
