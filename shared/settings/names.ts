/** Every service of Sinete, by the name of its folder. */
export const SERVICES = ['session', 'hub', 'pki', 'batch', 'compact', 'documents', 'credentials'] as const;

/** A service, or the sandbox: the stand-ins for other systems, on the local stage only. */
export type ServiceName = (typeof SERVICES)[number] | 'sandbox';

/** The services whose callers have a key of an application. The batch services have one key, a setting. */
export const KEYED_SERVICES = SERVICES.filter((service) => service !== 'batch' && service !== 'compact');

export const LOCAL_STAGE = 'local';

/** The stage of this process. Any stage except `local` is a deployment. */
export const stage = (): string => process.env.STAGE ?? LOCAL_STAGE;
export const isLocal = (): boolean => stage() === LOCAL_STAGE;

const account = (): string => process.env.AWS_ACCOUNT_ID ?? '000000000000';

// infra/<service>.yml has the same names. A test compares them.

/** @example tableName('session') // 'sinete-local-session' */
export const tableName = (service: ServiceName): string => `sinete-${stage()}-${service}`;

/** Bucket names are global in AWS, so they contain the account. @example bucketName('documents') */
export const bucketName = (service: ServiceName): string => `sinete-${stage()}-${service}-${account()}`;

/** @example queueName('documents', 'uploads') // 'sinete-local-documents-uploads' */
export const queueName = (service: ServiceName, queue: string): string =>
  `sinete-${stage()}-${service}-${queue}`;

/**
 * The environment variable that has the URL of a queue in a deployment.
 * @example queueUrlVariable('sinete-prod-documents-tasks', 'prod') // 'QUEUE_URL_DOCUMENTS_TASKS'
 */
export const queueUrlVariable = (name: string, ofStage = stage()): string =>
  `QUEUE_URL_${name.slice(`sinete-${ofStage}-`.length).toUpperCase().replaceAll('-', '_')}`;

/** The queue of messages that failed too often. */
export const deadLetterName = (service: ServiceName, queue: string): string =>
  `${queueName(service, queue)}-dead`;
