// A made-up activity statement of Interactive Brokers, with every section that is read.

export const ibActivityText = `Statement,Header,Field Name,Field Value
Statement,Data,BrokerName,Interactive Brokers Ireland Limited
Statement,Data,Title,Activity Statement
Statement,Data,Period,"January 1, 2025 - March 31, 2025"
Statement,Data,WhenGenerated,"2025-04-02, 04:05:06 EDT"
Account Information,Header,Field Name,Field Value
Account Information,Data,Name,A. Muster
Account Information,Data,Account,U1234567
Account Information,Data,Base Currency,EUR
Net Asset Value,Header,Asset Class,Prior Total,Current Total
Net Asset Value,Data,Cash ,0,900
Cash Report,Header,Currency Summary,Currency,Total,Securities,Futures,
Cash Report,Data,Starting Cash,Base Currency Summary,1000,1000,0,
Cash Report,Data,Ending Cash,Base Currency Summary,9999,9999,0,
Cash Report,Data,Starting Cash,EUR,"1,000",1000,0,
Cash Report,Data,Deposits,EUR,5000,5000,0,
Cash Report,Data,Ending Cash,EUR,3894.5,3894.5,0,
Cash Report,Data,Starting Cash,USD,0,0,0,
Cash Report,Data,Ending Cash,USD,947.91,947.91,0,
Open Positions,Header,DataDiscriminator,Asset Category,Currency,Symbol,Quantity,Mult,Cost Price,Cost Basis,Close Price,Value,Unrealized P/L,Code
Open Positions,Data,Summary,Stocks,USD,SEE,24,1,50.04,1201,60,1440,239,
Open Positions,Data,Lot,Stocks,USD,SEE,24,1,50.04,1201,60,1440,239,
Open Positions,Total,,Stocks,USD,,,,,1201,,1440,239,
Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,Comm/Fee,Basis,Realized P/L,MTM P/L,Code
Trades,Data,Order,Stocks,USD,SEE,"2025-01-15, 10:30:00",10,200,201,-2000,-1,2001,0,10,O
Trades,Data,Trade,Stocks,USD,SEE,"2025-01-15, 10:30:00",10,200,201,-2000,-1,2001,0,10,O
Trades,Data,Order,Stocks,USD,SEE,"2025-01-20, 10:30:00",-4,250,251,1000,-1.5,-800.4,198,0,C;P
Trades,Data,ClosedLot,Stocks,USD,SEE,2025-01-15,4,200,,,,800.4,,,
Trades,Data,Order,Equity and Index Options,USD,SEE 20JUN25 150 C,"2025-02-03, 09:31:00",1,2.5,2.6,-250,-1.05,251.05,0,0,O
Trades,Data,Order,Futures,EUR,FDAX,"2025-02-03, 09:31:00",1,17000,17000,-425000,-2,0,0,0,O
Trades,SubTotal,,Stocks,USD,SEE,,6,,,-1000,-2.5,1200.6,198,10,
Trades,Total,,Stocks,USD,,,,,,-1000,-2.5,1200.6,198,10,
Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,,Proceeds,Comm in EUR,,,MTM in EUR,Code
Trades,Data,Order,Forex,USD,EUR.USD,"2025-01-14, 09:00:00","-2,000",1.1,,2200,-2,,,0,
Transaction Fees,Header,Asset Category,Currency,Date/Time,Symbol,Description,Quantity,Trade Price,Amount,Code
Transaction Fees,Data,Stocks,EUR,"2025-02-10, 09:00:00",ALP,French Daily Trade Charge Tax,3,100,-0.9,
Transaction Fees,Data,Total,,,,,,,-0.9,
Corporate Actions,Header,Asset Category,Currency,Report Date,Date/Time,Description,Quantity,Proceeds,Value,Realized P/L,Code
Corporate Actions,Data,Stocks,USD,2025-02-21,"2025-02-20, 20:25:00","SEE(US0378331005) Split 4 for 1 (SEE, SEEFELD INC, US0378331005)",18,0,0,0,
Corporate Actions,Data,Stocks,USD,2025-02-25,"2025-02-24, 20:25:00","SEE(US0378331005) Spinoff  1 for 6 (SPN, SPINCO INC, CH0012032048)",4,0,0,0,
Corporate Actions,Data,Total,,,,,,0,0,0,
Deposits & Withdrawals,Header,Currency,Settle Date,Description,Amount
Deposits & Withdrawals,Data,EUR,2025-01-02,Electronic Fund Transfer,5000
Deposits & Withdrawals,Data,EUR,2025-03-20,Disbursement Initiated by A. Muster,-100
Deposits & Withdrawals,Data,Total,,,4900
Fees,Header,Subtitle,Currency,Date,Description,Amount
Fees,Data,Other Fees,EUR,2025-02-04,Snapshot,-2.6
Fees,Data,Total,,,,-2.6
Dividends,Header,Currency,Date,Description,Amount
Dividends,Data,USD,2025-02-16,SEE(US0378331005) Cash Dividend USD 0.24 per Share (Ordinary Dividend),1.44
Dividends,Data,USD,2025-02-17,SEE(US0378331005) Payment in Lieu of Dividend (Ordinary Dividend),0.24
Dividends,Data,Total,,,1.68
Withholding Tax,Header,Currency,Date,Description,Amount,Code
Withholding Tax,Data,USD,2025-02-16,SEE(US0378331005) Cash Dividend USD 0.24 per Share - US Tax,-0.22,
Withholding Tax,Data,Total,,,-0.22,
Interest,Header,Currency,Date,Description,Amount
Interest,Data,EUR,2025-02-05,EUR Credit Interest for Jan-2025,1
Interest,Data,EUR,2025-03-05,EUR Debit Interest for Feb-2025,-1
Interest,Data,Total,,,0
Financial Instrument Information,Header,Asset Category,Symbol,Description,Conid,Security ID,Underlying,Listing Exch,Multiplier,Type,Code
Financial Instrument Information,Data,Stocks,"SEE, SEEOLD",SEEFELD INC,265598,US0378331005,SEE,NASDAQ,1,COMMON,
Financial Instrument Information,Header,Asset Category,Symbol,Description,Conid,Underlying,Listing Exch,Multiplier,Expiry,Delivery Month,Type,Strike,Code
Financial Instrument Information,Data,Equity and Index Options,SEE 20JUN25 150 C,SEE 20JUN25 150 C,7001,SEE,CBOE,100,2025-06-20,2025-06,C,150,
Borrow Fee Details,Header,Currency,Value Date,Symbol,Quantity,Price,Value,Fee Rate (%),Borrow Fee,Code
Borrow Fee Details,Data,USD,2025-02-01,SEE,-1,200,200,1,-0.01,
Borrow Fee Details,Data,USD,2025-02-02,SEE,-1,200,200,1,-0.01,
Codes,Header,Code,Meaning
Codes,Data,O,Opening Trade
`;
