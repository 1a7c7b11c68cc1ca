import sys; sys.path.insert(0,'/tmp/v4f')
from common import *
import tumble.v4 as mj
for name in ['dice','boxmesh','chasetag_arena']:
    row=[r for r in rows() if r['id'].endswith(name)][0]
    ref=dict(np.load('/tmp/v4f/ref/'+row['id'].replace('/','__')+'.npz'))
    m=mj.MjModel.from_xml_path(str(F/row['path']))
    for k in range(m.nmesh):
        a=m.mesh_vertadr[k]; v=m.mesh_vert[a:a+m.mesh_vertnum[k]].astype(float)
        ours,r=m.mesh_extrema[k],ref['m.mesh_extrema'][k]
        print(name,k,len(v),'hull',m.mesh_graphadr[k]);print(ours,r)
        D=np.array([(x,y,z) for x in (-1,0,1) for y in (-1,0,1) for z in (-1,0,1)],float)
        gr=m.mesh_graph[m.mesh_graphadr[k]:] if m.mesh_graphadr[k]>=0 else None
        if gr is not None:
            nv=gr[0]; ids=gr[2+nv:2+2*nv]; print('hull verts',nv,ids[:20])
        for P in (D,D[:, ::-1]):
            print([int(np.argmax(v@d)) for d in P])
        # what direction does ref's vertex maximise?
        for j in range(27):
            s=[i for i,d in enumerate(D) if d.any() and (v@d)[r[j]]>=(v@d).max()-1e-9]
            print(j,s,end=' ')
        print()
