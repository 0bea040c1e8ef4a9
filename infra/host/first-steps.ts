import { listApplications } from '../../shared/access/administration.ts';

const KEYED = ['session', 'hub', 'pki', 'documents', 'credentials'] as const;

/**
 * The commands that make the first application, its key and the first organization; none once there is an application.
 * @example for (const command of await firstSteps('/etc/sinete/sinete.yaml')) log.info(command);
 */
export async function firstSteps(configFile: string): Promise<string[]> {
  const found = await Promise.all(KEYED.map(listApplications));
  if (found.some((applications) => applications.length > 0)) return [];
  const admin = (command: string): string => `npm run admin -- ${command} --config ${configFile}`;
  const services = KEYED.map((service) => `--service ${service}`).join(' ');
  return [
    admin(`apps create NAME ${services}`),
    admin(`keys issue NAME ${services}`),
    admin('organizations create "Name" --owner ID=NAME --identifier CNPJ --service documents'),
    admin('apps register NAME organizations ORGANIZATION --service documents'),
  ];
}
