/** Who an organization's invoices are made out to, as InvoiceClosed carries it. */
export type BillingInformation = {
  readonly contactName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly type: 'Individual' | 'Company';
  readonly individual: { readonly name: string; readonly identifier: string } | null;
  readonly company: {
    readonly name: string;
    readonly identifier: string;
    readonly stateRegistration: string | null;
    readonly stateRegistrationExempt: boolean;
    readonly municipalRegistration: string | null;
    readonly municipalRegistrationExempt: boolean;
  } | null;
  readonly streetAddress: string | null;
  readonly addressNumber: string | null;
  readonly additionalAddressInfo: string | null;
  readonly neighborhood: string | null;
  readonly zipCode: string | null;
  readonly city: string | null;
  readonly state: string | null;
  /** The city's number at IBGE. */
  readonly cityCode: string | null;
};
