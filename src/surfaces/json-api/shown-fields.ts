// The allow-list of JSON:API: the fields it shows of each resource. A field that is not listed here is not shown.

import { authFlow } from '../../model/custody/auth-flow.ts';
import { authority } from '../../model/custody/authority.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { instrumentClass, instrumentClassDetailed } from '../../model/instrument/instrument-class.ts';
import { seriesPoints } from '../../model/instrument/series-point.ts';
import { historicalHolding } from '../../model/ledger/historical-holding.ts';
import { invite } from '../../model/people/invite.ts';
import { user } from '../../model/people/user.ts';
import { account } from '../../model/structure/account.ts';
import { client } from '../../model/structure/client.ts';
import { depository } from '../../model/structure/depository.ts';
import { legalEntity } from '../../model/structure/legal-entity.ts';
import { portfolio } from '../../model/structure/portfolio.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { show, showAll, ShownFields } from '../http/operation/shown-fields.ts';
import { jsonApiTransactionVariants } from './transaction-variants.ts';

export const jsonApiFields = new ShownFields(
  [
    show(client, 'name', 'parent', 'children', 'legalEntities', 'reportingEntities'),
    show(legalEntity, 'name'),
    show(account, 'name', 'externalIdentifier', 'ccyCode', 'excludeFromReporting', 'legalEntity', 'depositories'),
    show(depository, 'name', 'externalIdentifier', 'accounts'),
    show(reportingEntity, 'name', 'client', 'portfolios'),
    show(portfolio, 'name', 'reportingEntity', 'accounts', 'depositories'),
    show(
      authFlow,
      'state',
      'purpose',
      'expectedFiles',
      'missingFiles',
      'supportedConsentTypes',
      'consentType',
      'createdAt',
      'grantedAt',
      'cancelledAt',
      'client',
      'legalEntity',
      'custodian',
      'depository',
      'authority',
    ),
    show(
      authority,
      'state',
      'connection',
      'brokenReason',
      'brokenAt',
      'consentType',
      'createdAt',
      'grantedAt',
      'expiresAt',
      'revokedAt',
      'client',
      'legalEntity',
      'custodian',
      'depository',
      'accounts',
      'depositories',
    ),
    show(instrumentClass, 'name', 'path', 'parent'),
    show(
      instrumentClassDetailed,
      'name',
      'path',
      'assetClass',
      'liquidity',
      'allowedTransactionTypes',
      'valuationBasis',
      'performanceMeasure',
      'stalenessDays',
      'parent',
    ),
    show(
      instrument,
      'name',
      'externalIdentifier',
      'ccyCode',
      'priceUnit',
      'issuerCountry',
      'tags',
      'ticker',
      'exchange',
      'isin',
      'listingCurrency',
      'coupon',
      'maturity',
      'dayCountConvention',
      'couponFrequency',
      'datedDate',
      'issuePrice',
      'firstCouponDate',
      'exDividendDays',
      'referenceRate',
      'spread',
      'baseFactor',
      'domicile',
      'principal',
      'interestRate',
      'startDate',
      'category',
      'rate',
      'basis',
      'frequency',
      'metadata',
      'nearLeg',
      'farLeg',
      'settlementDate',
      'forwardRate',
      'commitment',
      'managerName',
      'strategy',
      'vintageYear',
      'schedule',
      'instrumentClass',
    ),
    ...seriesPoints.map((series) => show(series, 'date', 'value')),
    show(
      historicalHolding,
      'date',
      'units',
      'marketValue',
      'accruedInterest',
      'currencyExchangeRate',
      'reportingCurrencyCode',
      'account',
      'depository',
      'instrument',
    ),
    show(user, 'contactEmail', 'firstName', 'lastName', 'readAccessToReportingEntities'),
    show(invite, 'identityProvider', 'email', 'cancelledAt', 'client'),
    showAll(jsonApiTransactionVariants.resource),
  ],
  { withRelatedTypes: true },
);
