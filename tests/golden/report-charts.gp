set terminal svg size 760,400 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.6750
set xlabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set xrange [0:4.5]
set ylabel 'mean latency, ms' textcolor rgb '#5e1e01'
set logscale y
set yrange [1.049871072:5.599449958]
set ytics ('2' 2, '5' 5)
set grid ytics lt 1 lw 0.8 lc rgb '#5e1e02'
set label 'two <b>"&''$(id)`|%_\ 5 % RDMA' at graph 1.035,0.5858 left textcolor rgb '#5e1d00'
set arrow from first 1.195274202,2.799084411 to graph 1.028,0.5858 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'two <b>"&''$(id)`|%_\ 5 % TCP' at graph 1.035,0.6358 left textcolor rgb '#5e1d00'
set arrow from first 3.187397873,2.799656347 to graph 1.028,0.6358 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP' at graph 1.035,0.6858 left textcolor rgb '#5e1d01'
set arrow from first 3.187397873,2.799656347 to graph 1.028,0.6858 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one RDMA' at graph 1.035,0.7358 left textcolor rgb '#5e1d01'
set arrow from first 3.984247341,2.799724979 to graph 1.028,0.7358 nohead back lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
0.4980309176 2.099793618
1.99212367 2.399764204
1.195274202 2.799084411
EOD
$d1 << EOD
0.3984247341 2.099742144
1.593698936 2.399705377
3.187397873 2.799656347
EOD
$d2 << EOD
0.4980309176 2.099793618
1.99212367 2.399764204
3.984247341 2.799724979
EOD
$d3 << EOD
0.3984247341 2.099742144
1.593698936 2.399705377
3.187397873 2.799656347
EOD
set label '1' at first 0.4980309176,2.099793618 center offset 0,0.8 font ',10' textcolor rgb '#5e1d00'
set label '4' at first 1.99212367,2.399764204 center offset 0,0.8 font ',10' textcolor rgb '#5e1d00'
set label '8' at first 1.195274202,2.799084411 center offset 0,0.8 font ',10' textcolor rgb '#5e1d00'
set label '1' at first 0.3984247341,2.099742144 center offset 0,0.8 font ',10' textcolor rgb '#5e1d00'
set label '4' at first 1.593698936,2.399705377 center offset 0,0.8 font ',10' textcolor rgb '#5e1d00'
set label '8' at first 3.187397873,2.799656347 center offset 0,0.8 font ',10' textcolor rgb '#5e1d00'
set label '1' at first 0.4980309176,2.099793618 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '4' at first 1.99212367,2.399764204 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '8' at first 3.984247341,2.799724979 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '1' at first 0.3984247341,2.099742144 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '4' at first 1.593698936,2.399705377 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '8' at first 3.187397873,2.799656347 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
plot $d0 using 1:2 with lines lw 2 lc rgb '#5e1d00', $d0 using 1:2 with points pt 7 ps 0.5 lc rgb '#5e1d00', $d1 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d00', $d1 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d00', $d2 using 1:2 with lines lw 2 lc rgb '#5e1d01', $d2 using 1:2 with points pt 7 ps 0.5 lc rgb '#5e1d01', $d3 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d3 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01'
set terminal svg size 760,400 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.6750
set xlabel 'share of all I/Os that took no longer' textcolor rgb '#5e1e01'
set xrange [0:4.08]
set xtics ('0 %%' 0, '90 %%' 1, '99 %%' 2, '99.9 %%' 3, '99.99 %%' 4)
set ylabel 'latency, ms' textcolor rgb '#5e1e01'
set logscale y
set yrange [1.061925926:5.6692656]
set ytics ('2' 2, '5' 5)
set grid ytics lt 1 lw 0.8 lc rgb '#5e1e02'
set label 'two <b>"&''$(id)`|%_\ 5 % RDMA' at graph 1.035,0.8207 left textcolor rgb '#5e1d00'
set arrow from first 3.301029996,4.198187 to graph 1.028,0.8207 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP' at graph 1.035,0.8707 left textcolor rgb '#5e1d01'
set arrow from first 3.698970004,4.19932 to graph 1.028,0.8707 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'two <b>"&''$(id)`|%_\ 5 % TCP' at graph 1.035,0.9207 left textcolor rgb '#5e1d00'
set arrow from first 3.698970004,4.19932 to graph 1.028,0.9207 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one RDMA' at graph 1.035,0.9707 left textcolor rgb '#5e1d01'
set arrow from first 4,4.199456 to graph 1.028,0.9707 nohead back lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
0.004364805402 1.4336
0.02227639471 1.531904
0.04575749056 1.67936
0.09691001301 1.957888
0.15490196 2.244608
0.2218487496 2.506752
0.3010299957 2.801664
0.3979400087 3.063808
0.5228787453 3.35872
0.6989700043 3.653632
1 3.915776
1.301029996 4.046848
1.698970004 4.145152
2 4.17792
2.301029996 4.17792
2.698970004 4.17792
3 4.19932
3.301029996 4.19932
3.698970004 4.19932
EOD
$d1 << EOD
0.004364805402 1.4336
0.02227639471 1.531904
0.04575749056 1.67936
0.09691001301 1.957888
0.15490196 2.244608
0.2218487496 2.506752
0.3010299957 2.801664
0.3979400087 3.063808
0.5228787453 3.35872
0.6989700043 3.653632
1 3.915776
1.301029996 4.046848
1.698970004 4.145152
2 4.17792
2.301029996 4.17792
2.698970004 4.17792
3 4.199456
3.301029996 4.199456
3.698970004 4.199456
4 4.199456
EOD
$d2 << EOD
0.004364805402 1.4336
0.02227639471 1.531904
0.04575749056 1.67936
0.09691001301 1.957888
0.15490196 2.244608
0.2218487496 2.506752
0.3010299957 2.801664
0.3979400087 3.063808
0.5228787453 3.35872
0.6989700043 3.653632
1 3.915776
1.301029996 4.046848
1.698970004 4.145152
2 4.17792
2.301029996 4.17792
2.698970004 4.17792
3 4.19932
3.301029996 4.19932
3.698970004 4.19932
EOD
$d3 << EOD
0.004364805402 1.4336
0.02227639471 1.531904
0.04575749056 1.67936
0.09691001301 1.957888
0.15490196 2.244608
0.2218487496 2.506752
0.3010299957 2.801664
0.3979400087 3.063808
0.5228787453 3.35872
0.6989700043 3.653632
1 3.915776
1.301029996 4.046848
1.698970004 4.145152
2 4.17792
2.301029996 4.17792
2.698970004 4.17792
3 4.198187
3.301029996 4.198187
EOD
plot $d0 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d0 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d1 using 1:2 with lines lw 2 lc rgb '#5e1d01', $d1 using 1:2 with points pt 7 ps 0.5 lc rgb '#5e1d01', $d2 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d00', $d2 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d00', $d3 using 1:2 with lines lw 2 lc rgb '#5e1d00', $d3 using 1:2 with points pt 7 ps 0.5 lc rgb '#5e1d00'
set terminal svg size 760,400 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8039
set xlabel 'thousand IOPS' textcolor rgb '#5e1e01'
set xrange [0:9]
set ylabel 'mean latency, ms' textcolor rgb '#5e1e01'
set logscale y
set yrange [0.06666466695:0.4859873775]
set ytics ('0.1' 0.1, '0.2' 0.2)
set grid ytics lt 1 lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one RDMA' at graph 1.035,0.8489 left textcolor rgb '#5e1d01'
set arrow from first 8.119901477,0.35999065 to graph 1.028,0.8489 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP' at graph 1.035,0.8989 left textcolor rgb '#5e1d01'
set arrow from first 8.119901477,0.35999065 to graph 1.028,0.8989 nohead back lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
2.029975369 0.08999730038
8.119901477 0.35999065
EOD
$d1 << EOD
2.029975369 0.08999730038
8.119901477 0.35999065
EOD
set label '1' at first 2.029975369,0.08999730038 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '4' at first 8.119901477,0.35999065 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '1' at first 2.029975369,0.08999730038 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '4' at first 8.119901477,0.35999065 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
plot $d0 using 1:2 with lines lw 2 lc rgb '#5e1d01', $d0 using 1:2 with points pt 7 ps 0.5 lc rgb '#5e1d01', $d1 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d1 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01'
set terminal svg size 760,400 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8039
set xlabel 'share of all I/Os that took no longer' textcolor rgb '#5e1e01'
set xrange [0:4.08]
set xtics ('0 %%' 0, '90 %%' 1, '99 %%' 2, '99.9 %%' 3, '99.99 %%' 4)
set ylabel 'latency, ms' textcolor rgb '#5e1e01'
set logscale y
set yrange [0.1357748148:0.7243776]
set ytics ('0.2' 0.2, '0.5' 0.5)
set grid ytics lt 1 lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP' at graph 1.035,0.8208 left textcolor rgb '#5e1d01'
set arrow from first 4,0.536576 to graph 1.028,0.8208 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one RDMA' at graph 1.035,0.8708 left textcolor rgb '#5e1d01'
set arrow from first 4,0.536576 to graph 1.028,0.8708 nohead back lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
0.004364805402 0.183296
0.02227639471 0.197632
0.04575749056 0.216064
0.09691001301 0.252928
0.15490196 0.288768
0.2218487496 0.325632
0.3010299957 0.3584
0.3979400087 0.395264
0.5228787453 0.432128
0.6989700043 0.468992
1 0.505856
1.301029996 0.52224
1.698970004 0.536576
2 0.536576
2.301029996 0.536576
2.698970004 0.536576
3 0.536576
3.301029996 0.536576
3.698970004 0.536576
4 0.536576
EOD
$d1 << EOD
0.004364805402 0.183296
0.02227639471 0.197632
0.04575749056 0.216064
0.09691001301 0.252928
0.15490196 0.288768
0.2218487496 0.325632
0.3010299957 0.3584
0.3979400087 0.395264
0.5228787453 0.432128
0.6989700043 0.468992
1 0.505856
1.301029996 0.52224
1.698970004 0.536576
2 0.536576
2.301029996 0.536576
2.698970004 0.536576
3 0.536576
3.301029996 0.536576
3.698970004 0.536576
4 0.536576
EOD
plot $d0 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d0 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d1 using 1:2 with lines lw 2 lc rgb '#5e1d01', $d1 using 1:2 with points pt 7 ps 0.5 lc rgb '#5e1d01'
set terminal svg size 760,400 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.6197
set xlabel 'thousand IOPS' textcolor rgb '#5e1e01'
set xrange [0:4.5]
set ylabel 'mean latency, ms' textcolor rgb '#5e1e01'
set logscale y
set yrange [0.04049173267:0.1919939504]
set ytics ('0.05' 0.05, '0.1' 0.1)
set grid ytics lt 1 lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=1 numjobs=1' at graph 1.035,0.4454 left textcolor rgb '#5e1d01'
set arrow from first 0.505,0.08098346535 to graph 1.028,0.4454 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=1 numjobs=4' at graph 1.035,0.4954 left textcolor rgb '#5e1d01'
set arrow from first 2.02,0.08099549505 to graph 1.028,0.4954 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=4 numjobs=1' at graph 1.035,0.5454 left textcolor rgb '#5e1d01'
set arrow from first 0.808,0.08398910891 to graph 1.028,0.5454 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=4 numjobs=4' at graph 1.035,0.5954 left textcolor rgb '#5e1d01'
set arrow from first 3.232,0.08399690594 to graph 1.028,0.5954 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=16 numjobs=1' at graph 1.035,0.6454 left textcolor rgb '#5e1d01'
set arrow from first 0.9504,0.09598940404 to graph 1.028,0.6454 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=16 numjobs=4' at graph 1.035,0.6954 left textcolor rgb '#5e1d01'
set arrow from first 3.8022,0.09599697522 to graph 1.028,0.6954 nohead back lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
0.505 0.08098346535
EOD
$d1 << EOD
2.02 0.08099549505
EOD
$d2 << EOD
0.9504 0.09598940404
EOD
$d3 << EOD
3.8022 0.09599697522
EOD
$d4 << EOD
0.808 0.08398910891
EOD
$d5 << EOD
3.232 0.08399690594
EOD
set label '2' at first 0.505,0.08098346535 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '2' at first 2.02,0.08099549505 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '2' at first 0.9504,0.09598940404 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '2' at first 3.8022,0.09599697522 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '2' at first 0.808,0.08398910891 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
set label '2' at first 3.232,0.08399690594 center offset 0,0.8 font ',10' textcolor rgb '#5e1d01'
plot $d0 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d0 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d1 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d1 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d2 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d2 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d3 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d3 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d4 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d4 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d5 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d5 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01'
set terminal svg size 760,400 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.6197
set xlabel 'share of all I/Os that took no longer' textcolor rgb '#5e1e01'
set xrange [0:3.367050596]
set xtics ('0 %%' 0, '90 %%' 1, '99 %%' 2, '99.9 %%' 3)
set ylabel 'latency, ms' textcolor rgb '#5e1e01'
set logscale y
set yrange [0.03053037037:0.1943919]
set ytics ('0.05' 0.05, '0.1' 0.1)
set grid ytics lt 1 lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=1 numjobs=1' at graph 1.035,0.7454 left textcolor rgb '#5e1d01'
set arrow from first 2.698970004,0.121344 to graph 1.028,0.7454 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=1 numjobs=4' at graph 1.035,0.7954 left textcolor rgb '#5e1d01'
set arrow from first 3.301029996,0.121344 to graph 1.028,0.7954 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=4 numjobs=1' at graph 1.035,0.8454 left textcolor rgb '#5e1d01'
set arrow from first 2.698970004,0.12544 to graph 1.028,0.8454 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=4 numjobs=4' at graph 1.035,0.8954 left textcolor rgb '#5e1d01'
set arrow from first 3.301029996,0.125994 to graph 1.028,0.8954 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=16 numjobs=1' at graph 1.035,0.9454 left textcolor rgb '#5e1d01'
set arrow from first 2.698970004,0.143979 to graph 1.028,0.9454 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP iodepth=16 numjobs=4' at graph 1.035,0.9954 left textcolor rgb '#5e1d01'
set arrow from first 3.301029996,0.143994 to graph 1.028,0.9954 nohead back lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
0.004364805402 0.041216
0.02227639471 0.044288
0.04575749056 0.048384
0.09691001301 0.056576
0.15490196 0.064768
0.2218487496 0.073216
0.3010299957 0.081408
0.3979400087 0.088576
0.5228787453 0.096768
0.6989700043 0.10496
1 0.113152
1.301029996 0.117248
1.698970004 0.12032
2 0.12032
2.301029996 0.121344
2.698970004 0.121344
EOD
$d1 << EOD
0.004364805402 0.041216
0.02227639471 0.044288
0.04575749056 0.048384
0.09691001301 0.056576
0.15490196 0.064768
0.2218487496 0.073216
0.3010299957 0.081408
0.3979400087 0.0896
0.5228787453 0.096768
0.6989700043 0.10496
1 0.113152
1.301029996 0.117248
1.698970004 0.12032
2 0.12032
2.301029996 0.121344
2.698970004 0.121344
3 0.121344
3.301029996 0.121344
EOD
$d2 << EOD
0.004364805402 0.042752
0.02227639471 0.046336
0.04575749056 0.050432
0.09691001301 0.058624
0.15490196 0.067072
0.2218487496 0.075264
0.3010299957 0.08448
0.3979400087 0.092672
0.5228787453 0.100864
0.6989700043 0.109056
1 0.117248
1.301029996 0.121344
1.698970004 0.124416
2 0.12544
2.301029996 0.12544
2.698970004 0.12544
EOD
$d3 << EOD
0.004364805402 0.042752
0.02227639471 0.046336
0.04575749056 0.050432
0.09691001301 0.058624
0.15490196 0.067072
0.2218487496 0.075264
0.3010299957 0.08448
0.3979400087 0.092672
0.5228787453 0.100864
0.6989700043 0.109056
1 0.117248
1.301029996 0.121344
1.698970004 0.124416
2 0.12544
2.301029996 0.12544
2.698970004 0.12544
3 0.12544
3.301029996 0.125994
EOD
$d4 << EOD
0.004364805402 0.048896
0.02227639471 0.052992
0.04575749056 0.0576
0.09691001301 0.067072
0.15490196 0.076288
0.2218487496 0.086528
0.3010299957 0.095744
0.3979400087 0.105984
0.5228787453 0.1152
0.6989700043 0.124416
1 0.134144
1.301029996 0.13824
1.698970004 0.142336
2 0.142336
2.301029996 0.143979
2.698970004 0.143979
EOD
$d5 << EOD
0.004364805402 0.048896
0.02227639471 0.052992
0.04575749056 0.0576
0.09691001301 0.067072
0.15490196 0.076288
0.2218487496 0.086528
0.3010299957 0.095744
0.3979400087 0.105984
0.5228787453 0.1152
0.6989700043 0.124416
1 0.134144
1.301029996 0.13824
1.698970004 0.142336
2 0.142336
2.301029996 0.143994
2.698970004 0.143994
3 0.143994
3.301029996 0.143994
EOD
plot $d0 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d0 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d1 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d1 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d2 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d2 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d3 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d3 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d4 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d4 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $d5 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d5 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'iodepth' textcolor rgb '#5e1e01'
set xtics ('1' 0, '4' 1, '16' 2)
set ylabel 'numjobs' textcolor rgb '#5e1e01'
set ytics ('1' 0, '4' 1)
set tmargin at screen 0.9077
set xrange [-0.5:2.5]
set yrange [-0.5:1.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'thousand IOPS  0.5050' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '3.802' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
-0.5 0.5 -0.5 0.5 6168320
0.5 1.5 -0.5 0.5 6168320
1.5 2.5 -0.5 0.5 6168321
-0.5 0.5 0.5 1.5 6168323
0.5 1.5 0.5 1.5 6168326
1.5 2.5 0.5 1.5 6168327
EOD
set label '0.5050' at first 0,0 center front textcolor rgb '#5e1e00'
set label '0.8080' at first 1,0 center front textcolor rgb '#5e1e00'
set label '0.9504' at first 2,0 center front textcolor rgb '#5e1e00'
set label '2.020' at first 0,1 center front textcolor rgb '#5e1e00'
set label '3.232' at first 1,1 center front textcolor rgb '#5e1e04'
set label '3.802' at first 2,1 center front textcolor rgb '#5e1e04'
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,216 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.3539
set rmargin at screen 0.7763
set xlabel 'change, % (right: RDMA is better)' textcolor rgb '#5e1e01'
set xrange [-67.75:30.25]
set ylabel '' textcolor rgb '#5e1e01'
set ytics ('two <b>"&''$(id)`|%%_\ 5 %%, 1 client' 0, 'two <b>"&''$(id)`|%%_\ 5 %%, 4 clients' 1, 'two <b>"&''$(id)`|%%_\ 5 %%, 8 clients' 2, 'vendor-one, 1 client' 3, 'vendor-one, 4 clients' 4, 'vendor-one, 8 clients' 5)
set yrange [5.5:-0.5]
set ytics scale 0
set border 1 lc rgb '#5e1e02'
set grid xtics lt 1 lw 0.8 lc rgb '#5e1e02'
set object rectangle from first -5,graph 0 to first 5,graph 1 behind fs solid noborder fc rgb '#5e1e03'
set arrow from first 0,graph 0 to first 0,graph 1 nohead front lw 1 lc rgb '#5e1e01'
$d0 << EOD
0 25
1 25
2 -62.5
EOD
set label '+25.0 % better' at graph 1.02,first 0 left textcolor rgb '#5e1d00'
set label '+25.0 % better' at graph 1.02,first 1 left textcolor rgb '#5e1d00'
set label '-62.5 % worse' at graph 1.02,first 2 left textcolor rgb '#5e1d00'
$e0 << EOD
0 25 25 25
1 25 25 25
EOD
$d1 << EOD
3 25
4 25
5 25
EOD
set label '+25.0 % better' at graph 1.02,first 3 left textcolor rgb '#5e1d01'
set label '+25.0 % better' at graph 1.02,first 4 left textcolor rgb '#5e1d01'
set label '+25.0 % better' at graph 1.02,first 5 left textcolor rgb '#5e1d01'
$e1 << EOD
3 25 25 25
4 25 25 25
5 25 25 25
EOD
plot $d0 using 2:1:(0):2:($1-0.32):($1+0.32) with boxxyerror fs solid noborder lc rgb '#5e1d00', $e0 using 3:1:($4-$3):(0) with vectors heads size screen 0.004,90 lw 1.2 lc rgb '#5e1e00', $d1 using 2:1:(0):2:($1-0.32):($1+0.32) with boxxyerror fs solid noborder lc rgb '#5e1d01', $e1 using 3:1:($4-$3):(0) with vectors heads size screen 0.004,90 lw 1.2 lc rgb '#5e1e00'
set terminal svg size 760,128 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.2250
set rmargin at screen 0.7763
set xlabel 'change, % (right: RDMA is better)' textcolor rgb '#5e1e01'
set xrange [-1.2:1.2]
set ylabel '' textcolor rgb '#5e1e01'
set ytics ('vendor-one, 1 client' 0, 'vendor-one, 4 clients' 1)
set yrange [1.5:-0.5]
set ytics scale 0
set border 1 lc rgb '#5e1e02'
set grid xtics lt 1 lw 0.8 lc rgb '#5e1e02'
set object rectangle from first -5,graph 0 to first 5,graph 1 behind fs solid noborder fc rgb '#5e1e03'
set arrow from first 0,graph 0 to first 0,graph 1 nohead front lw 1 lc rgb '#5e1e01'
$d0 << EOD
0 0
1 0
EOD
set label '+0.0 % equivalent' at graph 1.02,first 0 left textcolor rgb '#5e1d01'
set label '+0.0 % equivalent' at graph 1.02,first 1 left textcolor rgb '#5e1d01'
plot $d0 using 2:1:(0):2:($1-0.32):($1+0.32) with boxxyerror fs solid noborder lc rgb '#5e1d01'
set terminal svg size 760,400 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.6750
set xlabel 'clients' textcolor rgb '#5e1e01'
set xrange [0:8.16]
set xtics ('1' 1, '4' 4, '8' 8)
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:4.5]
set grid ytics lt 1 lw 0.8 lc rgb '#5e1e02'
set label 'two <b>"&''$(id)`|%_\ 5 % RDMA' at graph 1.035,0.2656 left textcolor rgb '#5e1d00'
set arrow from first 8,1.195274202 to graph 1.028,0.2656 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'two <b>"&''$(id)`|%_\ 5 % TCP' at graph 1.035,0.7083 left textcolor rgb '#5e1d00'
set arrow from first 8,3.187397873 to graph 1.028,0.7083 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP' at graph 1.035,0.7583 left textcolor rgb '#5e1d01'
set arrow from first 8,3.187397873 to graph 1.028,0.7583 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one RDMA' at graph 1.035,0.8854 left textcolor rgb '#5e1d01'
set arrow from first 8,3.984247341 to graph 1.028,0.8854 nohead back lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
1 0.4980309176
4 1.99212367
8 1.195274202
EOD
$e0 << EOD
1 0.4980309176 0.4931640625 0.5029296875
4 1.99212367 1.97265625 2.01171875
8 1.195274202 1.18359375 1.20703125
EOD
$d1 << EOD
1 0.3984247341
4 1.593698936
8 3.187397873
EOD
$e1 << EOD
1 0.3984247341 0.39453125 0.40234375
4 1.593698936 1.578125 1.609375
8 3.187397873 3.15625 3.21875
EOD
$d2 << EOD
1 0.4980309176
4 1.99212367
8 3.984247341
EOD
$e2 << EOD
1 0.4980309176 0.4931640625 0.5029296875
4 1.99212367 1.97265625 2.01171875
8 3.984247341 3.9453125 4.0234375
EOD
$d3 << EOD
1 0.3984247341
4 1.593698936
8 3.187397873
EOD
$e3 << EOD
1 0.3984247341 0.39453125 0.40234375
4 1.593698936 1.578125 1.609375
8 3.187397873 3.15625 3.21875
EOD
plot $d0 using 1:2 with lines lw 2 lc rgb '#5e1d00', $d0 using 1:2 with points pt 7 ps 0.5 lc rgb '#5e1d00', $e0 using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 lw 1.2 lc rgb '#5e1d00', $d1 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d00', $d1 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d00', $e1 using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 lw 1.2 lc rgb '#5e1d00', $d2 using 1:2 with lines lw 2 lc rgb '#5e1d01', $d2 using 1:2 with points pt 7 ps 0.5 lc rgb '#5e1d01', $e2 using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 lw 1.2 lc rgb '#5e1d01', $d3 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d3 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $e3 using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 lw 1.2 lc rgb '#5e1d01'
set terminal svg size 760,400 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8039
set xlabel 'clients' textcolor rgb '#5e1e01'
set xrange [0:4.08]
set xtics ('1' 1, '4' 4)
set ylabel 'thousand IOPS' textcolor rgb '#5e1e01'
set yrange [0:9]
set grid ytics lt 1 lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one RDMA' at graph 1.035,0.9022 left textcolor rgb '#5e1d01'
set arrow from first 4,8.119901477 to graph 1.028,0.9022 nohead back lw 0.8 lc rgb '#5e1e02'
set label 'vendor-one TCP' at graph 1.035,0.9522 left textcolor rgb '#5e1d01'
set arrow from first 4,8.119901477 to graph 1.028,0.9522 nohead back lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
1 2.029975369
4 8.119901477
EOD
$e0 << EOD
1 2.029975369 2.02 2.04
4 8.119901477 8.08 8.16
EOD
$d1 << EOD
1 2.029975369
4 8.119901477
EOD
$e1 << EOD
1 2.029975369 2.02 2.04
4 8.119901477 8.08 8.16
EOD
plot $d0 using 1:2 with lines lw 2 lc rgb '#5e1d01', $d0 using 1:2 with points pt 7 ps 0.5 lc rgb '#5e1d01', $e0 using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 lw 1.2 lc rgb '#5e1d01', $d1 using 1:2 with lines lw 2 dt 2 lc rgb '#5e1d01', $d1 using 1:2 with points pt 6 ps 0.5 lc rgb '#5e1d01', $e1 using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 lw 1.2 lc rgb '#5e1d01'
set terminal svg size 760,172 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.3263
set rmargin at screen 0.8816
set xlabel 'throughput of one client, MiB/s' textcolor rgb '#5e1e01'
set xrange [0:545.4]
set ylabel '' textcolor rgb '#5e1e01'
set ytics ('two <b>"&''$(id)`|%%_\ 5 %% RDMA, 8' 0, 'two <b>"&''$(id)`|%%_\ 5 %% TCP, 8' 1, 'vendor-one RDMA, 8' 2, 'vendor-one TCP, 8' 3)
set yrange [3.5:-0.5]
set ytics scale 0
set border 1 lc rgb '#5e1e02'
set grid xtics lt 1 lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
0 151.5
0 151.5
0 151.5
0 151.5
0 151.5
0 151.5
0 151.5
0 151.5
EOD
$d1 << EOD
1 404
1 404
1 404
1 404
1 404
1 404
1 404
1 404
EOD
$d2 << EOD
2 505
2 505
2 505
2 505
2 505
2 505
2 505
2 505
EOD
$d3 << EOD
3 404
3 404
3 404
3 404
3 404
3 404
3 404
3 404
EOD
plot $d0 using 2:1 with points pt 7 ps 0.55 lw 1.2 lc rgb '#5e1d00', $d1 using 2:1 with points pt 6 ps 0.55 lw 1.2 lc rgb '#5e1d00', $d2 using 2:1 with points pt 7 ps 0.55 lw 1.2 lc rgb '#5e1d01', $d3 using 2:1 with points pt 6 ps 0.55 lw 1.2 lc rgb '#5e1d01'
set terminal svg size 760,128 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1974
set rmargin at screen 0.8816
set xlabel 'throughput of one client, MiB/s' textcolor rgb '#5e1e01'
set xrange [0:8.521875]
set ylabel '' textcolor rgb '#5e1e01'
set ytics ('vendor-one RDMA, 4' 0, 'vendor-one TCP, 4' 1)
set yrange [1.5:-0.5]
set ytics scale 0
set border 1 lc rgb '#5e1e02'
set grid xtics lt 1 lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
0 7.890625
0 7.890625
0 7.890625
0 7.890625
EOD
$d1 << EOD
1 7.890625
1 7.890625
1 7.890625
1 7.890625
EOD
plot $d0 using 2:1 with points pt 7 ps 0.55 lw 1.2 lc rgb '#5e1d01', $d1 using 2:1 with points pt 6 ps 0.55 lw 1.2 lc rgb '#5e1d01'
set terminal svg size 760,216 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.3816
set rmargin at screen 0.8816
set xlabel 'throughput of one client, MiB/s' textcolor rgb '#5e1e01'
set xrange [0:8.020265625]
set ylabel '' textcolor rgb '#5e1e01'
set ytics ('vendor-one TCP iodepth=1 numjobs=1, 2' 0, 'vendor-one TCP iodepth=1 numjobs=4, 2' 1, 'vendor-one TCP iodepth=16 numjobs=1, 2' 2, 'vendor-one TCP iodepth=16 numjobs=4, 2' 3, 'vendor-one TCP iodepth=4 numjobs=1, 2' 4, 'vendor-one TCP iodepth=4 numjobs=4, 2' 5)
set yrange [5.5:-0.5]
set ytics scale 0
set border 1 lc rgb '#5e1e02'
set grid xtics lt 1 lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
0 0.986328125
0 0.986328125
EOD
$d1 << EOD
1 3.9453125
1 3.9453125
EOD
$d2 << EOD
2 1.85625
2 1.85625
EOD
$d3 << EOD
3 7.426171875
3 7.426171875
EOD
$d4 << EOD
4 1.578125
4 1.578125
EOD
$d5 << EOD
5 6.3125
5 6.3125
EOD
plot $d0 using 2:1 with points pt 6 ps 0.55 lw 1.2 lc rgb '#5e1d01', $d1 using 2:1 with points pt 6 ps 0.55 lw 1.2 lc rgb '#5e1d01', $d2 using 2:1 with points pt 6 ps 0.55 lw 1.2 lc rgb '#5e1d01', $d3 using 2:1 with points pt 6 ps 0.55 lw 1.2 lc rgb '#5e1d01', $d4 using 2:1 with points pt 6 ps 0.55 lw 1.2 lc rgb '#5e1d01', $d5 using 2:1 with points pt 6 ps 0.55 lw 1.2 lc rgb '#5e1d01'
set terminal svg size 760,106 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1974
set rmargin at screen 0.8816
set xlabel 'throughput of one client, MiB/s' textcolor rgb '#5e1e01'
set xrange [0:108]
set ylabel '' textcolor rgb '#5e1e01'
set ytics ('vendor-one RDMA, 4' 0)
set yrange [0.5:-0.5]
set ytics scale 0
set border 1 lc rgb '#5e1e02'
set grid xtics lt 1 lw 0.8 lc rgb '#5e1e02'
$d0 << EOD
0 100
0 100
0 100
EOD
plot $d0 using 2:1 with points pt 7 ps 0.55 lw 1.2 lc rgb '#5e1d01'
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:0.31640625]
$d << EOD
0.5 0 0 0 0
1.5 0 0.09765625 0.1953125 0.29296875
2.5 0 0.09765625 0.1953125 0.29296875
3.5 0 0.09765625 0.1953125 0.29296875
4.5 0 0.09765625 0.1953125 0.29296875
5.5 0 0.09765625 0.1953125 0.29296875
6.5 0 0.09765625 0.1953125 0.29296875
7.5 0 0.09765625 0.1953125 0.29296875
8.5 0 0.09765625 0.1953125 0.29296875
9.5 0 0.09765625 0.1953125 0.29296875
10.5 0 0.09765625 0.1953125 0.29296875
EOD
set label 'gpu01' at graph 1.02,first 0.048828125 left textcolor rgb '#5e1d01'
set label 'gpu04' at graph 1.02,first 0.24414062 left textcolor rgb '#5e1d01'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01', $d using 1:4:5 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('1.835 ms' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  300' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '300' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:1.265625]
$d << EOD
0.5 0 0 0 0 0 0 0 0 0
1.5 0 0.14648438 0.29296875 0.43945312 0.5859375 0.73242188 0.87890625 1.0253906 1.171875
2.5 0 0.14648438 0.29296875 0.43945312 0.5859375 0.73242188 0.87890625 1.0253906 1.171875
3.5 0 0.14648438 0.29296875 0.43945312 0.5859375 0.73242188 0.87890625 1.0253906 1.171875
4.5 0 0.14648438 0.29296875 0.43945312 0.5859375 0.73242188 0.87890625 1.0253906 1.171875
5.5 0 0.14648438 0.29296875 0.43945312 0.5859375 0.73242188 0.87890625 1.0253906 1.171875
6.5 0 0.14648438 0.29296875 0.43945312 0.5859375 0.73242188 0.87890625 1.0253906 1.171875
7.5 0 0.14648438 0.29296875 0.43945312 0.5859375 0.73242188 0.87890625 1.0253906 1.171875
8.5 0 0.14648438 0.29296875 0.43945312 0.5859375 0.73242188 0.87890625 1.0253906 1.171875
9.5 0 0.14648438 0.29296875 0.43945312 0.5859375 0.73242188 0.87890625 1.0253906 1.171875
10.5 0 0.14648438 0.29296875 0.43945312 0.5859375 0.73242188 0.87890625 1.0253906 1.171875
EOD
set label 'gpu01' at graph 1.02,first 0.073242188 left textcolor rgb '#5e1d00'
set label 'gpu08' at graph 1.02,first 1.0986328 left textcolor rgb '#5e1d00'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d00', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d00', $d using 1:4:5 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d00', $d using 1:5:6 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d00', $d using 1:6:7 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d00', $d using 1:7:8 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d00', $d using 1:8:9 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d00', $d using 1:9:10 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d00'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('2.621 ms' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  1,208' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '1,208' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:0.03328857422]
$d << EOD
0.5 0 0 0 0 0
1.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
2.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
3.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
4.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
5.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
6.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
7.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
8.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
9.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
10.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
EOD
set label 'gpu01' at graph 1.02,first 0.0038528442 left textcolor rgb '#5e1d01'
set label 'gpu04' at graph 1.02,first 0.02696991 left textcolor rgb '#5e1d01'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01', $d using 1:4:5 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:5:6 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('327.7 us' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  8,080' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '8,080' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:3.375]
$d << EOD
0.5 0 0 0 0 0 0 0 0 0
1.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
2.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
3.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
4.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
5.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
6.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
7.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
8.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
9.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
10.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
EOD
set label 'gpu01' at graph 1.02,first 0.1953125 left textcolor rgb '#5e1d01'
set label 'gpu08' at graph 1.02,first 2.9296875 left textcolor rgb '#5e1d01'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01', $d using 1:4:5 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:5:6 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01', $d using 1:6:7 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:7:8 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01', $d using 1:8:9 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:9:10 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('2.621 ms' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  3,232' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '3,232' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:4.21875]
$d << EOD
0.5 0 0 0 0 0 0 0 0 0
1.5 0 0.48828125 0.9765625 1.4648438 1.953125 2.4414062 2.9296875 3.4179688 3.90625
2.5 0 0.48828125 0.9765625 1.4648438 1.953125 2.4414062 2.9296875 3.4179688 3.90625
3.5 0 0.48828125 0.9765625 1.4648438 1.953125 2.4414062 2.9296875 3.4179688 3.90625
4.5 0 0.48828125 0.9765625 1.4648438 1.953125 2.4414062 2.9296875 3.4179688 3.90625
5.5 0 0.48828125 0.9765625 1.4648438 1.953125 2.4414062 2.9296875 3.4179688 3.90625
6.5 0 0.48828125 0.9765625 1.4648438 1.953125 2.4414062 2.9296875 3.4179688 3.90625
7.5 0 0.48828125 0.9765625 1.4648438 1.953125 2.4414062 2.9296875 3.4179688 3.90625
8.5 0 0.48828125 0.9765625 1.4648438 1.953125 2.4414062 2.9296875 3.4179688 3.90625
9.5 0 0.48828125 0.9765625 1.4648438 1.953125 2.4414062 2.9296875 3.4179688 3.90625
10.5 0 0.48828125 0.9765625 1.4648438 1.953125 2.4414062 2.9296875 3.4179688 3.90625
EOD
set label 'gpu01' at graph 1.02,first 0.24414062 left textcolor rgb '#5e1d01'
set label 'gpu08' at graph 1.02,first 3.6621094 left textcolor rgb '#5e1d01'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01', $d using 1:4:5 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:5:6 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01', $d using 1:6:7 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:7:8 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01', $d using 1:8:9 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:9:10 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('2.621 ms' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  4,040' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '4,040' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:3.375]
$d << EOD
0.5 0 0 0 0 0 0 0 0 0
1.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
2.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
3.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
4.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
5.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
6.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
7.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
8.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
9.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
10.5 0 0.390625 0.78125 1.171875 1.5625 1.953125 2.34375 2.734375 3.125
EOD
set label 'gpu01' at graph 1.02,first 0.1953125 left textcolor rgb '#5e1d00'
set label 'gpu08' at graph 1.02,first 2.9296875 left textcolor rgb '#5e1d00'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d00', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d00', $d using 1:4:5 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d00', $d using 1:5:6 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d00', $d using 1:6:7 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d00', $d using 1:7:8 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d00', $d using 1:8:9 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d00', $d using 1:9:10 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d00'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('2.621 ms' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  3,232' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '3,232' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:0.03328857422]
$d << EOD
0.5 0 0 0 0 0
1.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
2.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
3.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
4.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
5.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
6.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
7.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
8.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
9.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
10.5 0 0.0077056885 0.015411377 0.023117065 0.030822754
EOD
set label 'gpu01' at graph 1.02,first 0.0038528442 left textcolor rgb '#5e1d01'
set label 'gpu04' at graph 1.02,first 0.02696991 left textcolor rgb '#5e1d01'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01', $d using 1:4:5 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:5:6 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('327.7 us' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  8,080' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '8,080' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:0.002059936523]
$d << EOD
0.5 0 0 0
1.5 0 0.00095367432 0.0019073486
2.5 0 0.00095367432 0.0019073486
3.5 0 0.00095367432 0.0019073486
4.5 0 0.00095367432 0.0019073486
5.5 0 0.00095367432 0.0019073486
6.5 0 0.00095367432 0.0019073486
7.5 0 0.00095367432 0.0019073486
8.5 0 0.00095367432 0.0019073486
9.5 0 0.00095367432 0.0019073486
10.5 0 0.00095367432 0.0019073486
EOD
set label 'gpu01' at graph 1.02,first 0.00047683716 left textcolor rgb '#5e1d01'
set label 'gpu02' at graph 1.02,first 0.0014305115 left textcolor rgb '#5e1d01'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('65.54 us' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  504' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '504' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:0.008322143555]
$d << EOD
0.5 0 0 0
1.5 0 0.0038528442 0.0077056885
2.5 0 0.0038528442 0.0077056885
3.5 0 0.0038528442 0.0077056885
4.5 0 0.0038528442 0.0077056885
5.5 0 0.0038528442 0.0077056885
6.5 0 0.0038528442 0.0077056885
7.5 0 0.0038528442 0.0077056885
8.5 0 0.0038528442 0.0077056885
9.5 0 0.0038528442 0.0077056885
10.5 0 0.0038528442 0.0077056885
EOD
set label 'gpu01' at graph 1.02,first 0.0019264221 left textcolor rgb '#5e1d01'
set label 'gpu02' at graph 1.02,first 0.0057792664 left textcolor rgb '#5e1d01'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('65.54 us' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  2,020' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '2,020' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:0.003295898438]
$d << EOD
0.5 0 0 0
1.5 0 0.0015258789 0.0030517578
2.5 0 0.0015258789 0.0030517578
3.5 0 0.0015258789 0.0030517578
4.5 0 0.0015258789 0.0030517578
5.5 0 0.0015258789 0.0030517578
6.5 0 0.0015258789 0.0030517578
7.5 0 0.0015258789 0.0030517578
8.5 0 0.0015258789 0.0030517578
9.5 0 0.0015258789 0.0030517578
10.5 0 0.0015258789 0.0030517578
EOD
set label 'gpu01' at graph 1.02,first 0.00076293945 left textcolor rgb '#5e1d01'
set label 'gpu02' at graph 1.02,first 0.0022888184 left textcolor rgb '#5e1d01'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('81.92 us' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  808' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '808' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:0.01326599121]
$d << EOD
0.5 0 0 0
1.5 0 0.0061416626 0.012283325
2.5 0 0.0061416626 0.012283325
3.5 0 0.0061416626 0.012283325
4.5 0 0.0061416626 0.012283325
5.5 0 0.0061416626 0.012283325
6.5 0 0.0061416626 0.012283325
7.5 0 0.0061416626 0.012283325
8.5 0 0.0061416626 0.012283325
9.5 0 0.0061416626 0.012283325
10.5 0 0.0061416626 0.012283325
EOD
set label 'gpu01' at graph 1.02,first 0.0030708313 left textcolor rgb '#5e1d01'
set label 'gpu02' at graph 1.02,first 0.0092124939 left textcolor rgb '#5e1d01'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('81.92 us' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  3,232' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '3,232' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
set terminal svg size 760,320 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1000
set rmargin at screen 0.8553
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xrange [0.5:10.5]
set ylabel 'throughput, GiB/s' textcolor rgb '#5e1e01'
set yrange [0:0.003872680664]
$d << EOD
0.5 0 0 0
1.5 0 0.0017929077 0.0035858154
2.5 0 0.0017929077 0.0035858154
3.5 0 0.0017929077 0.0035858154
4.5 0 0.0017929077 0.0035858154
5.5 0 0.0017929077 0.0035858154
6.5 0 0.0017929077 0.0035858154
7.5 0 0.0017929077 0.0035858154
8.5 0 0.0017929077 0.0035858154
9.5 0 0.0017929077 0.0035858154
10.5 0 0.0017929077 0.0035858154
EOD
set label 'gpu01' at graph 1.02,first 0.00089645386 left textcolor rgb '#5e1d01'
set label 'gpu02' at graph 1.02,first 0.0026893616 left textcolor rgb '#5e1d01'
plot $d using 1:2:3 with filledcurves fs transparent solid 0.85 noborder lc rgb '#5e1d01', $d using 1:3:4 with filledcurves fs transparent solid 0.55 noborder lc rgb '#5e1d01'
set terminal svg size 760,390 dynamic noenhanced rounded font 'sans-serif,12'
set encoding utf8
set key off
set border 3 lc rgb '#5e1e02'
set tics nomirror scale 0.5 textcolor rgb '#5e1e01'
set lmargin at screen 0.1105
set rmargin at screen 0.9684
set xlabel 'time since the start, s' textcolor rgb '#5e1e01'
set xtics ('0' -0.5, '2' 1.5, '4' 3.5, '6' 5.5, '8' 7.5, '10' 9.5)
set ylabel 'completion latency' textcolor rgb '#5e1e01'
set ytics ('81.92 us' -0.5)
set tmargin at screen 0.9077
set xrange [-0.5:10.5]
set yrange [-0.5:0.5]
set tics scale 0
set border 0
set object rectangle from screen 0.6079,0.9436 to screen 0.6421,0.9744 front fs solid noborder fc rgb '#5e1f00'
set object rectangle from screen 0.6421,0.9436 to screen 0.6763,0.9744 front fs solid noborder fc rgb '#5e1f01'
set object rectangle from screen 0.6763,0.9436 to screen 0.7105,0.9744 front fs solid noborder fc rgb '#5e1f02'
set object rectangle from screen 0.7105,0.9436 to screen 0.7447,0.9744 front fs solid noborder fc rgb '#5e1f03'
set object rectangle from screen 0.7447,0.9436 to screen 0.7789,0.9744 front fs solid noborder fc rgb '#5e1f04'
set object rectangle from screen 0.7789,0.9436 to screen 0.8132,0.9744 front fs solid noborder fc rgb '#5e1f05'
set object rectangle from screen 0.8132,0.9436 to screen 0.8474,0.9744 front fs solid noborder fc rgb '#5e1f06'
set object rectangle from screen 0.8474,0.9436 to screen 0.8816,0.9744 front fs solid noborder fc rgb '#5e1f07'
set label 'I/Os per second and field  950' at screen 0.5979,0.9590 right textcolor rgb '#5e1e01'
set label '950' at screen 0.8916,0.9590 left textcolor rgb '#5e1e01'
$d << EOD
0.5 10.5 -0.5 0.5 6168327
EOD
plot $d using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror fs solid noborder lc rgb variable
