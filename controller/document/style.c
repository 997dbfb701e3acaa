/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the page looks: light and dark, wide, narrow and printed.  Colours of data are
 * those of Okabe and Ito (2008), which people who see colours differently tell apart;
 * in the dark the same hues, lighter.
 */
#include "controller/document/format.h"

#define COLOURS \
	":root{--paper:#fff;--ink:#1a1d21;--soft:#5b636d;--line:#e1e5ea;--panel:#f6f8fa;" \
	"--accent:#0b5cad;--good:#0a6b4b;--warn:#8a5300;--bad:#b3261e;" \
	"--good-b:#e3f4ec;--warn-b:#fdf0d8;--bad-b:#fde8e6;" \
	"--s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#b5578a;--s4:#c98500;" \
	"--s5:#3a9fd8;--s6:#4d4d4d;--grid:#dfe3e8;--noise:#eceff2;" \
	"--h0:#e6eff7;--h1:#c9dff0;--h2:#a3cae5;--h3:#72b0d7;--h4:#4292c6;--h5:#2171b5;" \
	"--h6:#0b5394;--h7:#08306b}\n"

#define DARK \
	"@media screen and (prefers-color-scheme:dark){" \
	":root{--paper:#14171a;--ink:#e6e9ec;--soft:#9aa4af;--line:#2b3138;" \
	"--panel:#1c2126;--accent:#6cb2f5;--good:#6fd0a8;--warn:#f0b95a;--bad:#ff8f85;" \
	"--good-b:#14332a;--warn-b:#3a2c12;--bad-b:#40201e;" \
	"--s0:#4a9fe0;--s1:#ff8a3d;--s2:#35c79a;--s3:#e08fbd;--s4:#f0b429;" \
	"--s5:#8fd0f5;--s6:#b8bec5;--grid:#2c3238;--noise:#242a30;" \
	"--h0:#16242f;--h1:#17364c;--h2:#184b6e;--h3:#1a6394;--h4:#2a80b9;--h5:#55a3d6;" \
	"--h6:#90c8ec;--h7:#d6efff}}\n"

const char document_style[] = COLOURS DARK
    "*{box-sizing:border-box}\n"
    "html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,"
    "-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"Liberation Sans\",sans-serif;"
    "display:grid;grid-template-columns:13rem minmax(0,74rem);gap:0 2.5rem;"
    "padding:0 2rem;max-width:92rem;margin-inline:auto}\n"
    "nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;"
    "padding:3.2rem 0 2rem;font-size:.875rem}\n"
    "nav ol{list-style:none;margin:0;padding:0;border-left:2px solid var(--line)}\n"
    "nav a{display:block;padding:.3rem 0 .3rem 1rem;color:var(--soft);"
    "text-decoration:none}\n"
    "nav a:hover,nav a:focus{color:var(--accent)}\n"
    "main{padding:2.5rem 0 3rem;min-width:0}\n"
    "footer{grid-column:2;border-top:1px solid var(--line);color:var(--soft);"
    "font-size:.8125rem;padding:1rem 0 3rem}\n"
    "h1{font-size:2rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 .5rem;"
    "text-wrap:balance}\n"
    "h2{font-size:1.375rem;line-height:1.3;letter-spacing:-.01em;margin:3.25rem 0 "
    ".9rem;padding-top:1.1rem;border-top:1px solid var(--line)}\n"
    "h3{font-size:1.0625rem;line-height:1.4;margin:2rem 0 .6rem}\n"
    "h4{font-size:.875rem;margin:1.1rem 0 .25rem}\n"
    "h1,h2,h3,h4,p,li{overflow-wrap:anywhere}\n"
    "p{margin:.4rem 0 .9rem;max-width:46rem}\n"
    "ul,ol{max-width:46rem}\n"
    "ul{margin:.25rem 0 .8rem;padding-left:1.15rem}\n"
    "li{margin:.15rem 0}.list ul{font-size:.9375rem}\n"
    ".note{color:var(--soft);font-size:.875rem}\n"
    ".verdict{margin:0;padding:1.35rem 1.5rem 1.35rem 3.1rem;background:var(--panel);"
    "border-radius:10px;font-size:1.0625rem;max-width:none}\n"
    ".verdict li{padding-left:.35rem;margin:.55rem 0;max-width:50rem}\n"
    ".verdict li:first-child{margin-top:0}.verdict li:last-child{margin-bottom:0}\n"
    ".verdict li::marker{color:var(--accent);font-weight:600}\n"
    ".scroll{overflow-x:auto;margin:.6rem 0 1.3rem;border:1px solid var(--line);"
    "border-radius:8px}\n"
    "table{border-collapse:collapse;width:100%;font-size:.8125rem;line-height:1.4;"
    "font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.42rem .6rem;text-align:left;vertical-align:top;"
    "border-top:1px solid var(--line)}\n"
    "thead th{border-top:0;background:var(--panel);font-weight:600;color:var(--soft);"
    "vertical-align:bottom;white-space:nowrap}\n"
    "tbody tr:first-child td{border-top:0}\n"
    "thead+tbody tr:first-child td{border-top:1px solid var(--line)}\n"
    "th small{display:block;font-weight:400;font-size:.75rem}\n"
    "td{white-space:nowrap}th.r,td.r{text-align:right}\n"
    "td.w{white-space:normal;min-width:15rem}\n"
    ".muted{color:var(--soft)}\n"
    ".good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}\n"
    "td .good,td .warn,td .bad{font-weight:600}\n"
    "td:not(.r) .good::before{content:\"\\25cf\\a0\"}"
    "td:not(.r) .warn::before{content:\"\\25d0\\a0\"}"
    "td:not(.r) .bad::before{content:\"\\2715\\a0\"}\n"
    ".finding{border:1px solid var(--line);border-left:4px solid var(--soft);"
    "border-radius:8px;padding:1rem 1.25rem .6rem;margin:1.1rem 0;color:var(--ink)}\n"
    ".finding.warn{border-left-color:var(--warn)}"
    ".finding.bad{border-left-color:var(--bad)}\n"
    ".finding{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));"
    "gap:0 1.75rem;font-size:.9375rem}\n"
    ".finding h3,.finding>.note,.finding .scroll{grid-column:1/-1}\n"
    ".finding h3{margin:0 0 .2rem}.finding>.note{max-width:none}\n"
    ".finding .scroll{margin:.3rem 0 .4rem}.finding ul{font-size:.875rem}\n"
    ".badge{display:inline-block;font-size:.75rem;font-weight:600;line-height:1.5;"
    "padding:0 .5rem;border-radius:1rem;margin-right:.3rem;background:var(--panel);"
    "color:var(--soft)}\n"
    ".warn .badge{background:var(--warn-b);color:var(--warn)}"
    ".bad .badge{background:var(--bad-b);color:var(--bad)}\n"
    "figure{margin:1.2rem 0 1.8rem}\n"
    "figcaption{font-weight:600;font-size:.9375rem;margin-bottom:.3rem}\n"
    "figcaption small{display:block;font-weight:400;font-size:.8125rem;"
    "color:var(--soft);max-width:46rem}\n"
    ".chart{overflow-x:auto}.chart svg{display:block;width:100%;max-width:760px;"
    "min-width:34rem;height:auto;font-family:inherit}\n"
    ".code pre{margin:0;padding:.8rem 1rem;overflow-x:auto;background:var(--panel);"
    "border-radius:8px;font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"
    "\"Liberation Mono\",monospace}\n"
    ".code figcaption{font-weight:400;font-size:.8125rem;color:var(--soft)}\n"
    "@media (max-width:64rem){body{display:block;padding:0 1.1rem}"
    "nav{position:static;max-height:none;padding:1.25rem 0 0}"
    "nav ol{display:flex;flex-wrap:wrap;gap:0 1.1rem;border:0}"
    "nav a{padding:.35rem 0}main{padding-top:1rem}"
    "h1{font-size:1.625rem}h2{margin-top:2.5rem}"
    ".verdict{padding:1.1rem 1.1rem 1.1rem 2.2rem;font-size:1rem}}\n"
    "@page{margin:16mm 14mm}\n"
    "@media print{body{display:block;padding:0;max-width:none;font-size:10pt}"
    "nav{display:none}main{padding:0}.scroll{overflow:visible;border:0}"
    "table{font-size:7.5pt}th,td{padding:.2rem .35rem}thead{display:table-header-group}"
    ".chart{overflow:visible}.chart svg{min-width:0}"
    "tr,figure.chart,.verdict{break-inside:avoid}"
    "h2,h3,h4,figcaption{break-after:avoid}"
    ".code pre{white-space:pre-wrap;overflow-wrap:anywhere}"
    "*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n";
