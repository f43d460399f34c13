#include "rules/page.h"

#include <math.h>
#include <stdio.h>

static const char style[] =
    ":root{color-scheme:light;--ink:#1d2733;--soft:#5b6b7c;--line:#dfe5ec;--bad:#b3261e;--good:#1b7f4d;--"
    "mark:#1f6fb2}\n"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);margin:0 auto;max-width:1080px;padding:24px}\n"
    "h1{font-size:26px;margin:0}h2{font-size:18px;margin:36px 0 10px}p{margin:6px "
    "0}.soft{color:var(--soft)}\n"
    ".verdict{display:inline-block;margin:14px 0;padding:6px "
    "14px;border-radius:6px;color:#fff;font-weight:600}\n"
    ".verdict.good{background:var(--good)}.verdict.bad{background:var(--bad)}.verdict.doubt{background:#"
    "8a5a00}\n"
    ".facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(170px,1fr));gap:10px;margin:10px 0}\n"
    ".facts div{border:1px solid var(--line);border-radius:6px;padding:8px 12px}.facts "
    "b{display:block;font-size:18px}\n"
    "table{border-collapse:collapse;width:100%;font-size:14px}th{text-align:left;color:var(--soft);font-"
    "weight:600}\n"
    "td,th{padding:5px 10px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "tr.bad "
    "td{color:var(--bad)}.bar{height:6px;border-radius:3px;background:var(--line);width:90px;margin-top:7px}"
    "\n"
    ".bar i{display:block;height:6px;border-radius:3px;background:var(--mark)}tr.bad .bar "
    "i{background:var(--bad)}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(330px,1fr));gap:12px}\n"
    "svg{width:100%;height:auto;border:1px solid var(--line);border-radius:6px}svg "
    "text{font-size:11px;fill:var(--soft)}\n"
    "svg .title{font-size:13px;fill:var(--ink);font-weight:600}svg .grid{stroke:var(--line)}\n"
    "svg .curve{fill:none;stroke:var(--mark);stroke-width:1.6}svg "
    ".limit{stroke:var(--bad);stroke-dasharray:5 4}\n"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(440px,1fr));gap:12px}figure{margin:"
    "0}\n"
    ".pictures figure:first-child{grid-column:1/-1}img{width:100%;border:1px solid "
    "var(--line);border-radius:6px}\n"
    "figcaption{font-size:13px;color:var(--soft)}details{margin:8px "
    "0}summary{cursor:pointer;font-weight:600}\n"
    "@media print{details{display:block}body{max-width:none}}\n";

void cab_page_begin(const char *title, cab_file *file)
{
    cab_file_print(file,
                   "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                   "content=\"width=device-width\">\n<title>");
    cab_file_print_xml(file, title);
    cab_file_print(file, "</title><style>\n%s</style></head>\n<body>\n<h1>", style);
    cab_file_print_xml(file, title);
    cab_file_print(file, "</h1>\n");
}

void cab_page_quantity(char *text, size_t size, const char *unit, double value)
{
    if (!isfinite(value))
        snprintf(text, size, "–");
    else if (!*unit)
        snprintf(text, size, "%.3g %%", 100 * value);
    else if (*unit == 'm' && fabs(value) < 1)
        snprintf(text, size, "%.4g mm", 1000 * value);
    else
        snprintf(text, size, "%.4g %s", value, unit);
}
